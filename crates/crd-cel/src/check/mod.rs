//! The type checker: assigns a type to each node, and resolves each name and call.
//!
//! Types are inferred bottom up. Empty literals and generic functions get type variables; those that are still free
//! when the whole expression is checked become `dyn`. An error is reported once: its node gets the error type, and
//! nodes that depend on it are not reported.
//!
//! Source: cel-go `checker/checker.go`.

mod aggregate;
mod call;
#[cfg(all(test, feature = "compile-time"))]
pub(crate) mod inference;
mod levels;
mod name;
#[cfg(test)]
mod tests;
mod unify;
mod well_known;

use std::fmt;
use std::sync::Arc;

use crate::checked::{Checked, Reference};
use crate::env::{Env, FieldLookup};
use crate::minors::Change;
use crate::syntax::{Ast, Comprehension, Expr, ExprId, ExprKind, Issues, Literal};
use crate::types::{Shown, Type};
use unify::{Sizes, Substitution};

/// The most nodes of a type, as a tree.
///
/// The server has no such limit: `[x].map(x, {x: x})` doubles the type, and the server spends the time and memory.
const MAX_TYPE_NODES: usize = 1 << 16;

/// The deepest nesting of a type. It is limited because code that reads a type recurses.
///
/// The server has no such limit: the type of `[1].map(x, [[[x]]]).map(x, [[[x]]])` nests deeper than its text.
const MAX_TYPE_LEVELS: usize = 500;

/// Checks an expression.
///
/// The recursion follows the nesting of the expression, which the parser limits.
///
/// # Errors
///
/// All issues. Later stages, which read the types, do not run.
pub(crate) fn check(ast: Ast, env: &Env) -> Result<Checked, Issues> {
    let Ast { source, mut root, positions } = ast;
    let mut checker = Checker {
        env,
        issues: Issues::new(Arc::clone(&source)),
        types: vec![None; positions.len()],
        references: vec![None; positions.len()],
        positions,
        subst: Substitution::default(),
        sizes: Sizes::default(),
        scope: Vec::new(),
    };
    checker.check(&mut root);
    if checker.subst.is_exhausted() {
        checker.report(root.id, format_args!("types take too many comparisons"));
    }
    let Checker { mut issues, mut types, references, positions, subst, .. } = checker;
    if !issues.is_empty() {
        return Err(issues);
    }
    subst.apply_all(types.iter_mut().flatten());
    if let Some(id) = levels::too_deep(&root, &types) {
        let position = positions.get(id as usize).copied().flatten();
        issues.report_at(position, format_args!("value nests more than {MAX_TYPE_LEVELS} levels"));
        return Err(issues);
    }
    Ok(Checked { ast: Ast { source, root, positions }, types, references })
}

struct Checker<'a> {
    env: &'a Env,
    issues: Issues,
    types: Vec<Option<Type>>,
    references: Vec<Option<Reference>>,
    positions: Vec<Option<u32>>,
    subst: Substitution,
    sizes: Sizes,
    /// The variables of the comprehensions around the node, innermost last.
    scope: Vec<(Arc<str>, Type)>,
}

impl Checker<'_> {
    fn check(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Literal(literal) => {
                let ty = literal_type(literal);
                self.set_type(e.id, ty);
            }
            ExprKind::Ident(_) => self.check_ident(e),
            ExprKind::Select { .. } => self.check_select(e),
            ExprKind::Call { .. } => self.check_call(e),
            ExprKind::List { elements, optional } => self.check_list(e.id, elements, optional),
            ExprKind::Map(entries) => self.check_map(e.id, entries),
            ExprKind::Struct { type_name, fields } => self.check_struct(e.id, type_name, fields),
            ExprKind::Comprehension(comprehension) => self.check_comprehension(e.id, comprehension),
        }
    }

    fn check_select(&mut self, e: &mut Expr) {
        // The whole dotted name may be the name of a variable, type or constant.
        if let Some(qualified) = name::qualified(e)
            && let Some(resolved) = self.lookup(&qualified)
        {
            self.set_resolved(e, resolved);
            return;
        }
        let ExprKind::Select { operand, field, test_only } = &mut e.kind else { return };
        let test_only = *test_only;
        let ty = self.check_field(e.id, operand, field, false);
        let ty = if test_only { Type::Bool } else { ty };
        let ty = self.subst.apply(&ty);
        self.set_type(e.id, ty);
    }

    /// The type of `operand.field`; a field of an optional is optional.
    fn check_field(&mut self, id: ExprId, operand: &mut Expr, field: &str, optional: bool) -> Type {
        self.check(operand);
        let operand_type = self.type_of(operand);
        let operand_type = self.subst.apply(&operand_type);
        let inner = operand_type.optional_inner();
        let optional = optional || inner.is_some();
        let result = match inner.unwrap_or(&operand_type) {
            Type::Map(_, value) => (**value).clone(),
            Type::Object(name) => self.field_type(id, name, field).unwrap_or(Type::Error),
            free @ Type::Var(_) => {
                self.subst.assign(&Type::Dyn, free);
                Type::Dyn
            }
            Type::Dyn | Type::Any | Type::Error | Type::Param(_) => Type::Dyn,
            other => {
                let other = Shown(other);
                self.report(id, format_args!("type '{other}' does not support field selection"));
                Type::Dyn
            }
        };
        if optional { Type::optional(result) } else { result }
    }

    /// The type of a field of an object or message type; `None` if it has been reported.
    fn field_type(&mut self, id: ExprId, type_name: &str, field: &str) -> Option<Type> {
        match self.env.object_field(type_name, field) {
            FieldLookup::Found(ty) => Some(ty),
            FieldLookup::NoType if well_known::message_type(type_name).is_none() => {
                self.report(id, format_args!("unexpected failed resolution of '{type_name}'"));
                None
            }
            FieldLookup::NoField | FieldLookup::NoType => {
                let found = well_known::field_type(type_name, field);
                if found.is_none() {
                    self.report(id, format_args!("undefined field '{field}'"));
                }
                found
            }
        }
    }

    fn check_comprehension(&mut self, id: ExprId, comprehension: &mut Comprehension) {
        let Comprehension { iter_var, iter_var2, range, accu_var, init, condition, step, result } =
            comprehension;
        self.check(range);
        self.check(init);
        let range_type = self.type_of(range);
        let range_type = self.subst.apply(&range_type);
        let accu_type = self.type_of(init);
        let outside = self.scope.len();
        self.scope.push((Arc::clone(accu_var), accu_type.clone()));
        let inside = self.scope.len();

        let (first, second) = match &range_type {
            Type::List(element) if iter_var2.is_some() => (Type::Int, (**element).clone()),
            Type::List(element) => ((**element).clone(), Type::Error),
            Type::Map(key, value) => ((**key).clone(), (**value).clone()),
            Type::Dyn | Type::Error | Type::Var(_) | Type::Param(_) => {
                self.subst.assign(&Type::Dyn, &range_type);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let other = Shown(other);
                self.report(
                    range.id,
                    format_args!(
                        "expression of type '{other}' cannot be range of a comprehension \
                         (must be list, map, or dynamic)"
                    ),
                );
                (Type::Error, Type::Error)
            }
        };
        self.scope.push((Arc::clone(iter_var), first));
        if let Some(iter_var2) = iter_var2 {
            self.scope.push((Arc::clone(iter_var2), second));
        }
        self.check(condition);
        self.expect_type(condition, &Type::Bool);
        self.check(step);
        self.expect_type(step, &accu_type);
        self.scope.truncate(inside);
        self.check(result);
        self.scope.truncate(outside);
        let ty = self.type_of(result);
        let ty = self.subst.apply(&ty);
        self.set_type(id, ty);
    }

    /// The type that was set for a node. Type variables that were bound since then are not replaced.
    fn type_of(&self, e: &Expr) -> Type {
        self.types.get(e.id as usize).and_then(Clone::clone).unwrap_or(Type::Error)
    }

    fn set_type(&mut self, id: ExprId, ty: Type) {
        let size = self.sizes.of(&ty);
        let ty = if size.parts > MAX_TYPE_NODES {
            self.report(id, format_args!("type has more than {MAX_TYPE_NODES} parts"));
            Type::Error
        } else if size.levels > MAX_TYPE_LEVELS {
            self.report(id, format_args!("type nests more than {MAX_TYPE_LEVELS} levels"));
            Type::Error
        } else {
            ty
        };
        // Upstream: without this change, the target of `optMap` is one node in two places and is checked twice.
        if let Some(Some(old)) = self.types.get(id as usize)
            && !self.env.version().has(Change::TargetsOfOptMapAreCopied)
            && !old.is_exactly(&ty)
        {
            let (old, new) = (Shown(old).to_string(), Shown(&ty));
            let text = "incompatible type already exists for expression";
            return self.report(id, format_args!("{text}: old:{old}, new:{new}"));
        }
        if let Some(slot) = self.types.get_mut(id as usize) {
            *slot = Some(ty);
        }
    }

    fn set_reference(&mut self, id: ExprId, reference: Reference) {
        if let Some(slot) = self.references.get_mut(id as usize) {
            *slot = Some(reference);
        }
    }

    fn expect_type(&mut self, e: &Expr, expected: &Type) {
        let found = self.type_of(e);
        if !self.subst.assign(expected, &found) {
            self.report_mismatch(e.id, expected, &found);
        }
    }

    fn report_mismatch(&mut self, id: ExprId, expected: &Type, found: &Type) {
        let (expected, found) = (Shown(expected), Shown(found));
        self.report(id, format_args!("expected type '{expected}' but found '{found}'"));
    }

    fn report(&mut self, id: ExprId, message: fmt::Arguments<'_>) {
        let position = self.positions.get(id as usize).copied().flatten();
        self.issues.report_at(position, message);
    }
}

fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}
