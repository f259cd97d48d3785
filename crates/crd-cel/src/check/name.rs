//! Resolves names: finds the declaration of an identifier or dotted name.
//!
//! Source: cel-go `checker/env.go`, `LookupIdent`, `LookupFunction`;
//! `common/containers/container.go`.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Checker, well_known};
use crate::checked::Reference;
use crate::library::Function;
use crate::minors::Change;
use crate::syntax::{Expr, ExprKind, Literal};
use crate::types::Type;

/// The declaration of a name.
pub(super) struct Resolved {
    /// The full name.
    pub(super) name: Arc<str>,
    /// The type of the name as an expression.
    pub(super) ty: Type,
    /// The reference that the checked expression has for the name.
    pub(super) reference: Reference,
}

impl Checker<'_> {
    pub(super) fn check_ident(&mut self, e: &mut Expr) {
        let ExprKind::Ident(name) = &e.kind else { return };
        let name = Arc::clone(name);
        if let Some(resolved) = self.lookup(&name) {
            self.set_resolved(e, resolved);
        } else {
            self.set_type(e.id, Type::Error);
            self.report_undeclared(e.id, &name);
        }
    }

    /// Replaces a node by the name that it refers to.
    pub(super) fn set_resolved(&mut self, e: &mut Expr, resolved: Resolved) {
        self.set_type(e.id, resolved.ty);
        self.set_reference(e.id, resolved.reference);
        e.kind = ExprKind::Ident(resolved.name);
    }

    pub(super) fn report_undeclared(&mut self, id: u32, name: &str) {
        let container = self.env.container();
        self.report(
            id,
            format_args!("undeclared reference to '{name}' (in container '{container}')"),
        );
    }

    /// The variable, type or constant of a name, which may be dotted.
    ///
    /// Before [`Change::GlobalNamesBehindDots`], each candidate may be a macro's variable. Since
    /// then, a name `x.y` where `x` is a macro's variable is a selection from this variable; only
    /// `.x.y` can be the name of something else.
    pub(super) fn lookup(&self, name: &str) -> Option<Resolved> {
        let mut candidates = candidates(self.env.container(), name);
        if !self.env.version().has(Change::GlobalNamesBehindDots) {
            return candidates.find_map(|candidate| self.lookup_exact(&candidate));
        }
        let absolute = name.starts_with('.');
        let plain = name.strip_prefix('.').unwrap_or(name);
        let first = plain.split('.').next().unwrap_or(plain);
        let shadowed = self.local(first);
        if !absolute && let Some(local) = shadowed {
            return (first == plain).then_some(local);
        }
        let mut resolved = candidates.find_map(|candidate| self.global(&candidate))?;
        if shadowed.is_some() {
            // Keeps the dot, so that the name does not refer to the variable of a macro.
            let name: Arc<str> = format!(".{}", resolved.name).into();
            if matches!(resolved.reference, Reference::Variable(_)) {
                resolved.reference = Reference::Variable(Arc::clone(&name));
            }
            resolved.name = name;
        }
        Some(resolved)
    }

    /// The declaration of the name before the braces of a message literal.
    pub(super) fn lookup_message(&self, name: &str) -> Option<Resolved> {
        if !self.env.version().has(Change::LiteralsNameTypesOnly) {
            return self.lookup(name);
        }
        candidates(self.env.container(), name).find_map(|name| self.type_of_name(&name))
    }

    /// The function of a name.
    pub(super) fn lookup_function(&self, name: &str) -> Option<&'static Function> {
        candidates(self.env.container(), name).find_map(|candidate| self.env.function(&candidate))
    }

    /// The variable of a macro.
    fn local(&self, name: &str) -> Option<Resolved> {
        let (name, ty) = self.scope.iter().rev().find(|(declared, _)| &**declared == name)?;
        Some(Resolved {
            name: Arc::clone(name),
            ty: ty.clone(),
            reference: Reference::Variable(Arc::clone(name)),
        })
    }

    fn lookup_exact(&self, name: &str) -> Option<Resolved> {
        self.local(name).or_else(|| self.global(name))
    }

    /// The variable of the environment, type or constant with this full name.
    fn global(&self, name: &str) -> Option<Resolved> {
        if let Some(variable) = self.env.variable(name) {
            return Some(Resolved {
                name: Arc::clone(&variable.name),
                ty: variable.ty.clone(),
                reference: Reference::Variable(Arc::clone(&variable.name)),
            });
        }
        if let Some(resolved) = self.type_of_name(name) {
            return Some(resolved);
        }
        let value = well_known::enum_value(name)?;
        Some(Resolved {
            name: name.into(),
            ty: Type::Int,
            reference: Reference::Constant(Literal::Int(value)),
        })
    }

    fn type_of_name(&self, name: &str) -> Option<Resolved> {
        let ty = self
            .env
            .constructed_type(name)
            .or_else(|| self.env.library_type(name).cloned())
            .or_else(|| self.env.scalar_type(name))
            .or_else(|| well_known::message_type(name))?;
        let reference = Reference::Type(ty.clone());
        Some(Resolved { name: name.into(), ty: Type::type_of(ty), reference })
    }
}

/// The full names that a name may stand for within a container, innermost first: `x.y.a`, `x.a` and
/// `a` for `a` in `x.y`. A name with a leading dot stands for itself.
fn candidates<'a>(container: &'a str, name: &'a str) -> impl Iterator<Item = String> + 'a {
    let absolute = name.strip_prefix('.');
    let scope = if absolute.is_some() { "" } else { container };
    let plain = absolute.unwrap_or(name);
    let ends = scope.rmatch_indices('.').map(|(at, _)| at);
    let first = (!scope.is_empty()).then_some(scope.len());
    first
        .into_iter()
        .chain(ends)
        .map(move |end| format!("{}.{plain}", scope.get(..end).unwrap_or_default()))
        .chain(std::iter::once_with(move || plain.to_owned()))
}

/// The dotted name, such as `a.b`, if the expression consists of names and selections only.
pub(super) fn qualified(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Ident(name) => Some(name.to_string()),
        ExprKind::Select { operand, field, test_only: false } => {
            let mut name = qualified(operand)?;
            let _ = write!(name, ".{field}");
            Some(name)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_tried_from_the_innermost_container_out() {
        #[track_caller]
        fn check(container: &str, name: &str, want: &[&str]) {
            assert_eq!(candidates(container, name).collect::<Vec<_>>(), want);
        }
        check("", "a.b", &["a.b"]);
        check("", ".a", &["a"]);
        check("x.y", "a", &["x.y.a", "x.a", "a"]);
        check("x.y", ".a", &["a"]);
    }
}
