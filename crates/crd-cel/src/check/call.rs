//! Resolves calls: the overloads that the argument types allow, and the type of the result.

use std::fmt::Write as _;

use super::unify::instantiate;
use super::{Checker, name};
use crate::checked::Reference;
use crate::library::Function;
use crate::syntax::{Expr, ExprId, ExprKind, Literal};
use crate::types::{Shown, Type};

/// The function to which the parser translates `operand.?field`.
const OPTIONAL_SELECT: &str = "_?._";

impl Checker<'_> {
    pub(super) fn check_call(&mut self, e: &mut Expr) {
        let id = e.id;
        let ExprKind::Call { target, function, args } = &mut e.kind else { return };
        if &**function == OPTIONAL_SELECT {
            self.check_optional_select(id, args);
            return;
        }
        for arg in args.iter_mut() {
            self.check(arg);
        }
        let found = match target {
            None => self.lookup_function(function),
            Some(receiver) => {
                // `a.b.c(..)` is the function `a.b.c` or the method `c` of `a.b`.
                let full = name::qualified(receiver).map(|name| format!("{name}.{function}"));
                if let Some(found) = full.and_then(|name| self.lookup_function(&name)) {
                    *target = None;
                    Some(found)
                } else {
                    self.check(receiver);
                    self.lookup_function(function)
                }
            }
        };
        let Some(found) = found else {
            self.set_type(id, Type::Error);
            let name = function.clone();
            self.report_undeclared(id, &name);
            return;
        };
        if target.is_none() && &**function != found.name {
            *function = found.name.into();
        }
        let ty = self.resolve(id, found, target.as_deref(), args).unwrap_or(Type::Error);
        self.set_type(id, ty);
    }

    fn check_optional_select(&mut self, id: ExprId, args: &mut [Expr]) {
        let [operand, field] = args else { return };
        let ExprKind::Literal(Literal::String(field)) = &field.kind else { return };
        let field = field.clone();
        let ty = self.check_field(id, operand, &field, true);
        let ty = self.subst.apply(&ty);
        self.set_type(id, ty);
        self.set_reference(id, Reference::Overloads(vec!["select_optional_field"]));
    }

    /// Records the overloads that fit, and returns the type of the call. If none fits, reports that
    /// and returns `None`.
    ///
    /// The type of the call is the result of the first overload that fits, or `dyn` if a later one
    /// has another result. Each overload that fits binds type variables of the arguments, which the
    /// next one sees.
    pub(super) fn resolve(
        &mut self,
        id: ExprId,
        function: &'static Function,
        target: Option<&Expr>,
        args: &[Expr],
    ) -> Option<Type> {
        if matches!(function.name, "_&&_" | "_||_") {
            return self.resolve_logical(id, function, args);
        }
        let mut arg_types: Vec<Type> =
            target.into_iter().chain(args).map(|e| self.type_of(e)).collect();
        let mut matched = Vec::new();
        let mut result: Option<Type> = None;
        let overloads = function.overloads_in(self.env.environment());
        for overload in overloads.filter(|o| o.row.is_method == target.is_some()) {
            let first = self.subst.fresh(overload.row.signature.vars.into());
            let fits = if overload.row.signature.vars == 0 {
                self.subst.assign_all(&arg_types, &overload.params)
            } else {
                let params: Vec<Type> =
                    overload.params.iter().map(|param| instantiate(param, first)).collect();
                self.subst.assign_all(&arg_types, &params)
            };
            if !fits {
                continue;
            }
            matched.push(overload.row.id);
            let ty = self.subst.apply(&instantiate(&overload.result, first));
            match &mut result {
                None => result = Some(ty),
                Some(result) => {
                    if !result.is_dyn() && !ty.is_exactly(result) {
                        *result = Type::Dyn;
                    }
                }
            }
        }
        if result.is_none() {
            self.subst.apply_all(arg_types.iter_mut());
            let signature = signature(&arg_types, target.is_some());
            let name = function.name;
            self.report(
                id,
                format_args!("found no matching overload for '{name}' applied to '{signature}'"),
            );
            return None;
        }
        self.set_reference(id, Reference::Overloads(matched));
        result
    }

    /// `&&` and `||`: errors of each operand are reported separately.
    fn resolve_logical(
        &mut self,
        id: ExprId,
        function: &'static Function,
        args: &[Expr],
    ) -> Option<Type> {
        let mut fits = true;
        for arg in args {
            let ty = self.type_of(arg);
            if !self.subst.assign(&ty, &Type::Bool) {
                self.report_mismatch(arg.id, &Type::Bool, &ty);
                fits = false;
            }
        }
        if !fits {
            return None;
        }
        let ids = function.overloads.iter().map(|overload| overload.row.id).collect();
        self.set_reference(id, Reference::Overloads(ids));
        Some(Type::Bool)
    }
}

/// `(int, string)`, or `list(int).(string)` for a method.
fn signature(types: &[Type], member: bool) -> String {
    let mut out = String::new();
    let mut rest = types;
    if member && let [receiver, args @ ..] = types {
        let _ = write!(out, "{}.", Shown(receiver));
        rest = args;
    }
    out.push('(');
    for (i, ty) in rest.iter().enumerate() {
        let _ = write!(out, "{}{}", if i == 0 { "" } else { ", " }, Shown(ty));
    }
    out.push(')');
    out
}
