//! The unification and the resolution of calls, for the test that compares them with those of the checks in rustc.

use super::Checker;
use super::unify::{Sizes, Substitution};
use crate::checked::Reference;
use crate::env::Env;
use crate::syntax::{Expr, ExprId, ExprKind, Issues};
use crate::types::Type;

/// The types of one expression, while they are inferred.
pub(crate) struct Inference<'e>(Checker<'e>);

/// The result of a call, and the ids of the overloads that fit.
pub(crate) struct Call {
    pub(crate) result: Option<Type>,
    pub(crate) overloads: Vec<&'static str>,
}

impl<'e> Inference<'e> {
    /// With a number of free variables.
    pub(crate) fn new(env: &'e Env, vars: u32) -> Self {
        let mut subst = Substitution::default();
        subst.fresh(vars);
        Self(Checker {
            env,
            issues: Issues::new("".into()),
            types: Vec::new(),
            references: vec![None],
            positions: Vec::new(),
            subst,
            sizes: Sizes::default(),
            scope: Vec::new(),
        })
    }

    pub(crate) fn assign(&mut self, a: &Type, b: &Type) -> bool {
        self.0.subst.assign(a, b)
    }

    pub(crate) fn apply(&mut self, ty: &Type) -> Type {
        self.0.subst.apply(ty)
    }

    /// Resolves a call; the receiver of a method is its first operand.
    pub(crate) fn call(&mut self, function: &str, is_method: bool, operands: &[Type]) -> Call {
        let node = |id: ExprId| Expr { id, kind: ExprKind::Ident("operand".into()) };
        self.0.types = std::iter::once(None).chain(operands.iter().cloned().map(Some)).collect();
        let operands: Vec<Expr> = (1..).zip(operands).map(|(id, _)| node(id)).collect();
        let (receiver, args) = operands.split_at(usize::from(is_method));
        let function = self.0.env.function(function).expect(function);
        self.0.references = vec![None];
        let result = self.0.resolve(0, function, receiver.first(), args);
        let overloads = match self.0.references.pop().flatten() {
            Some(Reference::Overloads(ids)) => ids,
            _ => Vec::new(),
        };
        Call { result, overloads }
    }
}
