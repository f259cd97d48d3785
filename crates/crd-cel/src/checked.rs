//! The result of the checker, for the estimator and the planner.

use std::sync::Arc;

use crate::syntax::{Ast, ExprId, Literal};
use crate::types::Type;

/// An [`Ast`] with a type for each node and a meaning for each name and call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// The expression. Each name is replaced by the full name that it refers to.
    pub ast: Ast,
    /// The types of the nodes, by [`ExprId`]; index 0 is unused.
    pub types: Vec<Option<Type>>,
    /// The meanings of names and calls, by [`ExprId`]; index 0 is unused.
    pub references: Vec<Option<Reference>>,
}

/// The meaning of a name or call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reference {
    /// A variable.
    Variable(Arc<str>),
    /// A type name used as a value, such as `int`.
    Type(Type),
    /// An enum or other constant.
    Constant(Literal),
    /// The overloads (by cel-go's ids) that the argument types allow, in declaration order.
    Overloads(Vec<&'static str>),
}

impl Checked {
    /// An expression that was not checked. Its overloads are chosen when it is evaluated.
    pub fn dynamic(ast: Ast) -> Self {
        Self { ast, types: Vec::new(), references: Vec::new() }
    }

    /// The type of a node; `Dyn` if the checker recorded none.
    pub fn type_of(&self, id: ExprId) -> &Type {
        self.types.get(id as usize).and_then(Option::as_ref).unwrap_or(&Type::Dyn)
    }

    /// The type of the whole expression.
    pub fn result_type(&self) -> &Type {
        self.type_of(self.ast.root.id)
    }

    /// The meaning of a node that is a name or a call.
    pub fn reference_of(&self, id: ExprId) -> Option<&Reference> {
        self.references.get(id as usize).and_then(Option::as_ref)
    }
}
