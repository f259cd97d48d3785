//! Unification of types.
//!
//! Source: cel-go `checker/types.go`, `checker/mapping.go`.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::types::Type;

/// The largest number of pairs of types that one expression may compare.
///
/// The server has no such limit. Types share parts, so a short expression can have a type that is
/// huge as a tree, and a comparison visits the whole tree.
const MAX_COMPARISONS: u32 = 1 << 22;

/// The number of parts up to which a type is visited, instead of looked up in [`Known`].
const FEW_PARTS: usize = 32;

/// Results computed for parts of types, by the address of the part.
///
/// The parts are kept alive here, because another type could reuse the address of a dropped one and
/// get its result.
#[derive(Debug)]
struct Known<T>(HashMap<*const Type, (Arc<Type>, T)>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> Known<T> {
    fn get(&self, part: &Arc<Type>) -> Option<&T> {
        self.0.get(&Arc::as_ptr(part)).map(|(_, known)| known)
    }

    fn insert(&mut self, part: &Arc<Type>, known: T) {
        self.0.insert(Arc::as_ptr(part), (Arc::clone(part), known));
    }
}

/// The bindings of the type variables of one expression.
///
/// An assignment that fails leaves them unchanged.
#[derive(Debug, Default)]
pub(super) struct Substitution {
    /// The type that each variable is bound to; `None` for a free one.
    bound: Vec<Option<Type>>,
    /// The bindings that the current assignment has overwritten, to restore if it fails.
    trail: Vec<(u32, Option<Type>)>,
    /// The results of [`Substitution::apply`] for parts of types, until a binding changes.
    applied: Known<Arc<Type>>,
    /// Pairs of types compared so far.
    comparisons: u32,
}

/// The result of binding a variable to a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BindResult {
    /// The variable and the type unify.
    Agrees,
    /// The variable is bound to a type that does not unify.
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

    /// Whether a value of one type can be used as one of the other, in either direction. Binds type
    /// variables so that it can.
    pub(super) fn assign(&mut self, a: &Type, b: &Type) -> bool {
        let fits = self.unify(a, b);
        self.finish(fits)
    }

    /// As [`assign`](Self::assign), for each pair; lists of different lengths do not fit.
    pub(super) fn assign_all(&mut self, a: &[Type], b: &[Type]) -> bool {
        let fits = self.unify_all(a, b);
        self.finish(fits)
    }

    /// Whether [`MAX_COMPARISONS`] was exceeded. Every comparison since then has returned `true`.
    pub(super) fn is_exhausted(&self) -> bool {
        self.comparisons > MAX_COMPARISONS
    }

    /// The type with every bound variable replaced. Parts that types share stay shared.
    pub(super) fn apply(&mut self, ty: &Type) -> Type {
        if has_no_variables(ty, &mut { FEW_PARTS }) {
            return ty.clone();
        }
        let mut applied = std::mem::take(&mut self.applied);
        let result = self.replace(ty, false, &mut applied);
        self.applied = applied;
        result.unwrap_or_else(|| ty.clone())
    }

    /// The types with every bound variable replaced, and free ones by `dyn`.
    pub(super) fn apply_all<'t>(&self, types: impl Iterator<Item = &'t mut Type>) {
        let mut applied = Known::default();
        for ty in types {
            if let Some(replaced) = self.replace(ty, true, &mut applied) {
                *ty = replaced;
            }
        }
    }

    /// The type with its variables replaced; `None` if it stays as it is.
    fn replace(
        &self,
        ty: &Type,
        free_to_dyn: bool,
        applied: &mut Known<Arc<Type>>,
    ) -> Option<Type> {
        match ty {
            Type::Var(n) => match self.find(*n) {
                Some(bound) => {
                    Some(self.replace(bound, free_to_dyn, applied).unwrap_or_else(|| bound.clone()))
                }
                None => free_to_dyn.then_some(Type::Dyn),
            },
            Type::Param(_) => free_to_dyn.then_some(Type::Dyn),
            Type::List(element) => {
                Some(Type::List(self.replace_part(element, free_to_dyn, applied)?))
            }
            Type::Map(key, value) => {
                let (new_key, new_value) = (
                    self.replace_part(key, free_to_dyn, applied),
                    self.replace_part(value, free_to_dyn, applied),
                );
                if new_key.is_none() && new_value.is_none() {
                    return None;
                }
                let or = |new: Option<Arc<Type>>, old: &Arc<Type>| {
                    new.unwrap_or_else(|| Arc::clone(old))
                };
                Some(Type::Map(or(new_key, key), or(new_value, value)))
            }
            Type::Type(Some(inner)) => {
                Some(Type::Type(Some(self.replace_part(inner, free_to_dyn, applied)?)))
            }
            Type::Opaque(name, params) => {
                let replaced: Vec<Option<Type>> =
                    params.iter().map(|param| self.replace(param, free_to_dyn, applied)).collect();
                if replaced.iter().all(Option::is_none) {
                    return None;
                }
                let params = replaced.into_iter().zip(&**params);
                let params = params.map(|(new, old)| new.unwrap_or_else(|| old.clone()));
                Some(Type::Opaque(Arc::clone(name), params.collect()))
            }
            _ => None,
        }
    }

    fn replace_part(
        &self,
        part: &Arc<Type>,
        free_to_dyn: bool,
        applied: &mut Known<Arc<Type>>,
    ) -> Option<Arc<Type>> {
        if has_no_variables(part, &mut { FEW_PARTS }) {
            return None;
        }
        if let Some(known) = applied.get(part) {
            return (!Arc::ptr_eq(known, part)).then(|| Arc::clone(known));
        }
        let replaced = self.replace(part, free_to_dyn, applied).map(Arc::new);
        applied.insert(part, replaced.clone().unwrap_or_else(|| Arc::clone(part)));
        replaced
    }

    /// Ends an assignment: restores the bindings from before unless `keep` is set.
    fn finish(&mut self, keep: bool) -> bool {
        if !self.trail.is_empty() {
            self.applied = Known::default();
        }
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

    /// As [`Substitution::unify`], for parts. A part that both types share unifies with itself.
    fn unify_parts(&mut self, a: &Arc<Type>, b: &Arc<Type>) -> bool {
        Arc::ptr_eq(a, b) || self.unify(a, b)
    }

    fn unify(&mut self, a: &Type, b: &Type) -> bool {
        self.comparisons = self.comparisons.saturating_add(1);
        if self.is_exhausted() {
            return true;
        }
        if let Type::Var(variable) = b {
            match self.bind(*variable, b, a) {
                BindResult::Agrees => return true,
                BindResult::Conflicts => return false,
                BindResult::Occurs => {}
            }
        }
        if let Type::Var(variable) = a {
            return self.bind(*variable, a, b) == BindResult::Agrees;
        }
        match (a, b) {
            (Type::Dyn | Type::Any | Type::Error | Type::Param(_), _)
            | (_, Type::Dyn | Type::Any | Type::Error | Type::Param(_))
            | (Type::Type(_), Type::Type(_)) => true,
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::List(a), Type::List(b)) => self.unify_parts(a, b),
            (Type::Map(ak, av), Type::Map(bk, bv)) => {
                self.unify_parts(ak, bk) && self.unify_parts(av, bv)
            }
            (Type::Opaque(a, aps), Type::Opaque(b, bps)) => a == b && self.unify_all(aps, bps),
            (a, b) => a.is_exactly(b),
        }
    }

    /// Binds `variable` to `ty`, or to the more general of `ty` and its present binding. `as_type` is
    /// `Type::Var(variable)`.
    fn bind(&mut self, variable: u32, as_type: &Type, ty: &Type) -> BindResult {
        if ty == as_type {
            return BindResult::Agrees;
        }
        if let Some(bound) = self.find(variable).cloned() {
            if ty.is_exactly(&bound) {
                return BindResult::Agrees;
            }
            if !self.unify(ty, &bound) {
                return BindResult::Conflicts;
            }
            let general = most_general(ty, &bound);
            if !self.occurs(as_type, general) {
                let general = general.clone();
                self.set(variable, general);
            }
            return BindResult::Agrees;
        }
        if self.occurs(as_type, ty) {
            return BindResult::Occurs;
        }
        self.set(variable, ty.clone());
        BindResult::Agrees
    }

    /// Whether a variable occurs in a type, or in the bindings of variables in it.
    fn occurs(&self, variable: &Type, within: &Type) -> bool {
        variable == within
            || (!has_no_variables(within, &mut { FEW_PARTS })
                && self.occurs_in(variable, within, &mut HashSet::new()))
    }

    /// As [`Substitution::occurs`]; `seen` are the parts that have been searched.
    fn occurs_in(&self, variable: &Type, within: &Type, seen: &mut HashSet<*const Type>) -> bool {
        let mut part = |part: &Arc<Type>| {
            seen.insert(Arc::as_ptr(part)) && self.occurs_in(variable, part, seen)
        };
        match within {
            Type::Var(_) if variable == within => true,
            Type::Var(n) => {
                self.find(*n).is_some_and(|bound| self.occurs_in(variable, bound, seen))
            }
            Type::List(inner) | Type::Type(Some(inner)) => part(inner),
            Type::Map(key, value) => part(key) || part(value),
            Type::Opaque(_, params) => {
                params.iter().any(|param| self.occurs_in(variable, param, seen))
            }
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
        (Type::List(a), Type::List(b)) => is_part_as_general(a, b),
        (Type::Map(ak, av), Type::Map(bk, bv)) => {
            is_part_as_general(ak, bk) && is_part_as_general(av, bv)
        }
        (Type::Opaque(a, aps), Type::Opaque(b, bps)) => {
            a == b
                && aps.len() == bps.len()
                && aps.iter().zip(&**bps).all(|(a, b)| is_as_general(a, b))
        }
        (a, b) => a.is_exactly(b),
    }
}

fn is_part_as_general(a: &Arc<Type>, b: &Arc<Type>) -> bool {
    Arc::ptr_eq(a, b) || is_as_general(a, b)
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

/// Computes the sizes of types, written out as trees.
#[derive(Debug, Default)]
pub(super) struct Sizes(Known<Size>);

/// The size of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// The nodes of the tree.
    pub(super) parts: usize,
    /// The depth of the tree.
    pub(super) levels: usize,
}

impl Sizes {
    /// Returns the size of a type.
    pub(super) fn of(&mut self, ty: &Type) -> Size {
        let leaf = Size { parts: 0, levels: 0 };
        let both = |a: Size, b: Size| Size {
            parts: a.parts.saturating_add(b.parts),
            levels: a.levels.max(b.levels),
        };
        let below = match ty {
            Type::List(inner) | Type::Type(Some(inner)) => self.of_part(inner),
            Type::Map(key, value) => both(self.of_part(key), self.of_part(value)),
            Type::Opaque(_, params) => params.iter().map(|p| self.of(p)).fold(leaf, both),
            _ => leaf,
        };
        Size { parts: below.parts.saturating_add(1), levels: below.levels + 1 }
    }

    fn of_part(&mut self, part: &Arc<Type>) -> Size {
        if let Type::List(_) | Type::Map(..) | Type::Type(Some(_)) | Type::Opaque(..) = &**part {
            if let Some(known) = self.0.get(part) {
                return *known;
            }
            let size = self.of(part);
            self.0.insert(part, size);
            return size;
        }
        Size { parts: 1, levels: 1 }
    }
}

/// Whether a visit of at most `left` parts shows that a type has no variables.
fn has_no_variables(ty: &Type, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    match ty {
        Type::Var(_) | Type::Param(_) => false,
        Type::List(inner) | Type::Type(Some(inner)) => has_no_variables(inner, left),
        Type::Map(key, value) => has_no_variables(key, left) && has_no_variables(value, left),
        Type::Opaque(_, params) => params.iter().all(|param| has_no_variables(param, left)),
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
