//! Type variables: which types may stand for which.
//!
//! Source: cel-go `checker/types.go`, `checker/mapping.go`.

use std::sync::Arc;

use crate::types::Type;

/// What the type variables of one expression stand for.
///
/// An attempt to assign changes it only where it succeeds.
#[derive(Debug, Default)]
pub(super) struct Substitution {
    /// By variable.
    bound: Vec<Option<Type>>,
    /// What the attempt under way has overwritten.
    trail: Vec<(u32, Option<Type>)>,
}

/// What came of binding a variable to a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binding {
    /// The variable stands for the type now.
    Agrees,
    /// The variable stands for a type that does not fit.
    Conflicts,
    /// The variable is free, but occurs in the type.
    Occurs,
}

impl Substitution {
    /// Makes `count` free variables and returns the first.
    pub(super) fn fresh(&mut self, count: u32) -> u32 {
        let first = u32::try_from(self.bound.len()).unwrap_or(u32::MAX);
        self.bound.extend((0..count).map(|_| None));
        first
    }

    /// Whether a value of one type can be taken for one of the other, in either direction.
    pub(super) fn assign(&mut self, a: &Type, b: &Type) -> bool {
        let fits = self.unify(a, b);
        self.finish(fits)
    }

    /// As [`assign`](Self::assign), for each pair; lists of different lengths do not fit.
    pub(super) fn assign_all(&mut self, a: &[Type], b: &[Type]) -> bool {
        let fits = self.unify_all(a, b);
        self.finish(fits)
    }

    /// The type with every bound variable replaced; free ones become `dyn` on demand.
    pub(super) fn apply(&self, ty: &Type, free_to_dyn: bool) -> Type {
        match ty {
            Type::Var(n) => match self.find(*n) {
                Some(bound) => self.apply(bound, free_to_dyn),
                None if free_to_dyn => Type::Dyn,
                None => ty.clone(),
            },
            Type::Param(_) if free_to_dyn => Type::Dyn,
            _ if !has_variables(ty) => ty.clone(),
            Type::List(element) => Type::list(self.apply(element, free_to_dyn)),
            Type::Map(key, value) => {
                Type::map(self.apply(key, free_to_dyn), self.apply(value, free_to_dyn))
            }
            Type::Type(Some(inner)) => Type::type_of(self.apply(inner, free_to_dyn)),
            Type::Opaque(name, params) => {
                let params = params.iter().map(|param| self.apply(param, free_to_dyn));
                Type::Opaque(Arc::clone(name), params.collect())
            }
            _ => ty.clone(),
        }
    }

    fn finish(&mut self, keep: bool) -> bool {
        while let Some((variable, before)) = self.trail.pop() {
            if !keep && let Some(slot) = self.bound.get_mut(variable as usize) {
                *slot = before;
            }
        }
        keep
    }

    fn find(&self, variable: u32) -> Option<&Type> {
        self.bound.get(variable as usize)?.as_ref()
    }

    fn set(&mut self, variable: u32, ty: Type) {
        if let Some(slot) = self.bound.get_mut(variable as usize) {
            self.trail.push((variable, slot.replace(ty)));
        }
    }

    fn unify_all(&mut self, a: &[Type], b: &[Type]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify(a, b))
    }

    fn unify(&mut self, a: &Type, b: &Type) -> bool {
        if let Type::Var(variable) = b {
            match self.bind(*variable, b, a) {
                Binding::Agrees => return true,
                Binding::Conflicts => return false,
                Binding::Occurs => {}
            }
        }
        if let Type::Var(variable) = a {
            return self.bind(*variable, a, b) == Binding::Agrees;
        }
        match (a, b) {
            (Type::Dyn | Type::Any | Type::Error | Type::Param(_), _)
            | (_, Type::Dyn | Type::Any | Type::Error | Type::Param(_))
            | (Type::Type(_), Type::Type(_)) => true,
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::List(a), Type::List(b)) => self.unify(a, b),
            (Type::Map(ak, av), Type::Map(bk, bv)) => self.unify(ak, bk) && self.unify(av, bv),
            (Type::Opaque(a, aps), Type::Opaque(b, bps)) => a == b && self.unify_all(aps, bps),
            (a, b) => a.is_exactly(b),
        }
    }

    /// Makes `variable` (which `as_type` names) stand for `ty`, or for the more general of `ty` and
    /// what it stands for already.
    fn bind(&mut self, variable: u32, as_type: &Type, ty: &Type) -> Binding {
        if ty == as_type {
            return Binding::Agrees;
        }
        if let Some(bound) = self.find(variable).cloned() {
            if ty.is_exactly(&bound) {
                return Binding::Agrees;
            }
            if !self.unify(ty, &bound) {
                return Binding::Conflicts;
            }
            let general = most_general(ty, &bound);
            if !self.occurs(as_type, general) {
                let general = general.clone();
                self.set(variable, general);
            }
            return Binding::Agrees;
        }
        if self.occurs(as_type, ty) {
            return Binding::Occurs;
        }
        self.set(variable, ty.clone());
        Binding::Agrees
    }

    /// Whether a variable occurs in a type, also through what other variables stand for.
    fn occurs(&self, variable: &Type, within: &Type) -> bool {
        if variable == within {
            return true;
        }
        match within {
            Type::Var(n) => self.find(*n).is_some_and(|bound| self.occurs(variable, bound)),
            Type::List(inner) | Type::Type(Some(inner)) => self.occurs(variable, inner),
            Type::Map(key, value) => self.occurs(variable, key) || self.occurs(variable, value),
            Type::Opaque(_, params) => params.iter().any(|param| self.occurs(variable, param)),
            _ => false,
        }
    }
}

/// A declared type with its parameters `Var(0)`, `Var(1)`, ... renamed to start at `first`.
pub(super) fn instantiate(ty: &Type, first: u32) -> Type {
    match ty {
        Type::Var(n) => Type::Var(n + first),
        _ if !has_variables(ty) => ty.clone(),
        Type::List(element) => Type::list(instantiate(element, first)),
        Type::Map(key, value) => Type::map(instantiate(key, first), instantiate(value, first)),
        Type::Type(Some(inner)) => Type::type_of(instantiate(inner, first)),
        Type::Opaque(name, params) => {
            let params = params.iter().map(|param| instantiate(param, first));
            Type::Opaque(Arc::clone(name), params.collect())
        }
        _ => ty.clone(),
    }
}

/// The more general of two types that unify.
pub(super) fn most_general<'a>(a: &'a Type, b: &'a Type) -> &'a Type {
    if is_as_general(a, b) { a } else { b }
}

/// Whether `a` equals `b` or has `dyn` or a variable where `b` has something else.
fn is_as_general(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dyn | Type::Any | Type::Var(_) | Type::Param(_), _)
        | (Type::Type(_), Type::Type(_)) => true,
        (_, Type::Dyn | Type::Any | Type::Var(_) | Type::Param(_)) => false,
        (Type::List(a), Type::List(b)) => is_as_general(a, b),
        (Type::Map(ak, av), Type::Map(bk, bv)) => is_as_general(ak, bk) && is_as_general(av, bv),
        (Type::Opaque(a, aps), Type::Opaque(b, bps)) => {
            a == b
                && aps.len() == bps.len()
                && aps.iter().zip(&**bps).all(|(a, b)| is_as_general(a, b))
        }
        (a, b) => a.is_exactly(b),
    }
}

/// Whether `null` is a value of the type.
fn is_nullable(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null
            | Type::Opaque(..)
            | Type::Object(_)
            | Type::Any
            | Type::Duration
            | Type::Timestamp
            | Type::Wrapper(_)
    )
}

/// Takes the number of nodes of a type, written out as a tree, from `left`; false where it is larger.
pub(super) fn spend_nodes(ty: &Type, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    match ty {
        Type::List(inner) | Type::Type(Some(inner)) => spend_nodes(inner, left),
        Type::Map(key, value) => spend_nodes(key, left) && spend_nodes(value, left),
        Type::Opaque(_, params) => params.iter().all(|param| spend_nodes(param, left)),
        _ => true,
    }
}

fn has_variables(ty: &Type) -> bool {
    match ty {
        Type::Var(_) | Type::Param(_) => true,
        Type::List(inner) | Type::Type(Some(inner)) => has_variables(inner),
        Type::Map(key, value) => has_variables(key) || has_variables(value),
        Type::Opaque(_, params) => params.iter().any(has_variables),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Type = Type::Var(0);
    const B: Type = Type::Var(1);

    fn with_vars() -> Substitution {
        let mut subst = Substitution::default();
        subst.fresh(2);
        subst
    }

    #[test]
    fn types_fit_themselves_dyn_and_null_where_it_is_a_value() {
        #[track_caller]
        fn check(a: &Type, b: &Type, want: bool) {
            assert_eq!(with_vars().assign(a, b), want, "{a} and {b}");
            assert_eq!(with_vars().assign(b, a), want, "{b} and {a}");
        }
        check(&Type::Int, &Type::Int, true);
        check(&Type::Int, &Type::Uint, false);
        check(&Type::Int, &Type::Dyn, true);
        check(&Type::Int, &Type::Error, true);
        check(&Type::Null, &Type::Int, false);
        check(&Type::Null, &Type::list(Type::Int), false);
        check(&Type::Null, &Type::object("a"), true);
        check(&Type::Null, &Type::Timestamp, true);
        check(&Type::Null, &Type::optional(Type::Int), true);
        check(&Type::Null, &Type::Wrapper(Type::Int.into()), true);
        check(&Type::Int, &Type::Wrapper(Type::Int.into()), true);
        check(&Type::object("a"), &Type::object("b"), false);
        check(&Type::list(Type::Int), &Type::list(Type::Dyn), true);
        check(&Type::list(Type::Int), &Type::list(Type::String), false);
        check(&Type::type_of(Type::Int), &Type::type_of(Type::String), true);
        check(&Type::opaque("net.IP"), &Type::opaque("net.CIDR"), false);
    }

    #[test]
    fn a_variable_takes_the_more_general_type() {
        let mut subst = with_vars();
        assert!(subst.assign(&Type::Int, &A));
        assert_eq!(subst.apply(&A, false), Type::Int);
        assert!(subst.assign(&Type::Dyn, &A));
        assert_eq!(subst.apply(&Type::list(A), false), Type::list(Type::Dyn));
        assert_eq!(subst.apply(&B, true), Type::Dyn);
        assert_eq!(subst.apply(&B, false), B);
    }

    #[test]
    fn a_failed_attempt_leaves_no_trace() {
        let mut subst = with_vars();
        assert!(!subst.assign_all(&[Type::Int, Type::String], &[A, Type::Int]));
        assert_eq!(subst.apply(&A, false), A);
        assert!(!subst.assign_all(&[Type::Int], &[A, B]));
    }

    #[test]
    fn a_variable_never_stands_for_a_type_that_contains_it() {
        let mut subst = with_vars();
        assert!(!subst.assign(&Type::list(A), &A));
        assert!(subst.assign(&A, &Type::list(B)));
        assert!(!subst.assign(&B, &A));
        assert_eq!(subst.apply(&A, false), Type::list(B));
    }
}
