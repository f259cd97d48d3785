//! Unification of types; the counterpart of `check::unify`.

use super::basic;
use super::types::{Type, Types};
use crate::library::row::Sig;

/// The result of binding a variable to a type.
#[derive(Clone, Copy)]
enum BindResult {
    Agrees,
    Conflicts,
    Occurs,
}

/// What a type may have as a part.
#[derive(Clone, Copy)]
enum Part {
    Unknown,
    /// A variable, bound or free.
    AnyVariable,
    /// This variable, or one that is bound to a type with it.
    Variable(u16),
}

impl Types<'_> {
    /// Whether two types unify. Binds type variables so that they do; if they do not, no binding changes.
    pub(super) const fn assign(&mut self, a: Type, b: Type) -> bool {
        // PERF: most types have no parts.
        if let Type::Basic(a) = a
            && let Type::Basic(b) = b
        {
            return a == b || basics_fit(a, b);
        }
        let fits = self.unify(a, b, 0);
        self.end_assignment(fits)
    }

    /// Whether an argument's type unifies with a parameter's, whose type variables begin at `first`. The caller must
    /// call [`end_assignment`](Self::end_assignment).
    pub(super) const fn accepts(&mut self, ty: Type, pattern: &Sig, first: u16) -> bool {
        self.fuel.spent += 8;
        // PERF: these are the most, and rustc is slow to match two enums at once.
        match pattern {
            Sig::Basic(wanted) => {
                if let Type::Basic(code) = ty {
                    return code == *wanted || basics_fit(code, *wanted);
                }
            }
            Sig::Var(n) => return self.unify(ty, Type::Var(first + *n), 0),
            _ => {}
        }
        match (ty, pattern) {
            (Type::List(element), Sig::List(pattern)) => {
                self.accepts(self.node(element), pattern, first)
            }
            (Type::Map(k, v), Sig::Map(key, value)) => {
                self.accepts(self.node(k), key, first) && self.accepts(self.node(v), value, first)
            }
            (Type::Optional(inner), Sig::Optional(pattern)) => {
                self.accepts(self.node(inner), pattern, first)
            }
            (Type::Var(_), pattern) => {
                let pattern = self.instantiate(pattern, first);
                self.unify(ty, pattern, 0)
            }
            (Type::Basic(basic::UNKNOWN | basic::DYN), _)
            | (_, Sig::Basic(basic::DYN))
            | (Type::Basic(basic::NULL), Sig::Optional(_)) => true,
            _ => false,
        }
    }

    /// A parameter's type, whose type variables begin at `first`.
    pub(super) const fn instantiate(&mut self, pattern: &Sig, first: u16) -> Type {
        self.fuel.spent += 8;
        match pattern {
            Sig::Basic(code) => Type::Basic(*code),
            Sig::Var(n) => Type::Var(first + *n),
            Sig::List(element) => {
                let element = self.instantiate(element, first);
                self.list(element)
            }
            Sig::Map(key, value) => {
                let key = self.instantiate(key, first);
                let value = self.instantiate(value, first);
                self.map(key, value)
            }
            Sig::Optional(inner) => {
                let inner = self.instantiate(inner, first);
                self.optional(inner)
            }
            Sig::TypeOf(inner) => {
                let inner = self.instantiate(inner, first);
                Type::Meta(self.part(inner))
            }
        }
    }

    /// The type with every bound variable replaced.
    pub(super) const fn apply(&mut self, ty: Type) -> Type {
        match ty {
            Type::Basic(_) | Type::Object(..) => ty,
            _ => self.apply_at(ty, 0),
        }
    }

    const fn apply_at(&mut self, ty: Type, depth: u32) -> Type {
        match ty {
            Type::Basic(_) | Type::Object(..) => ty,
            _ if !self.step(depth) => Type::Basic(basic::UNKNOWN),
            Type::Var(n) => {
                if self.is_free(n) {
                    ty
                } else {
                    self.apply_at(self.bound(n), depth + 1)
                }
            }
            Type::List(inner) => match self.apply_part(inner, depth) {
                Some(applied) => self.list(applied),
                None => ty,
            },
            Type::Optional(inner) => match self.apply_part(inner, depth) {
                Some(applied) => self.optional(applied),
                None => ty,
            },
            Type::Meta(inner) => match self.apply_part(inner, depth) {
                Some(applied) => Type::Meta(self.part(applied)),
                None => ty,
            },
            Type::Map(key, value) => {
                match (self.apply_part(key, depth), self.apply_part(value, depth)) {
                    (None, None) => ty,
                    (key_applied, value_applied) => {
                        let key = match key_applied {
                            Some(key) => key,
                            None => self.node(key),
                        };
                        let value = match value_applied {
                            Some(value) => value,
                            None => self.node(value),
                        };
                        self.map(key, value)
                    }
                }
            }
        }
    }

    /// A part with its variables replaced; `None` if it has none.
    const fn apply_part(&mut self, part: u16, depth: u32) -> Option<Type> {
        let ty = self.node(part);
        if self.has(ty, Part::AnyVariable, depth) {
            Some(self.apply_at(ty, depth + 1))
        } else {
            None
        }
    }

    /// Whether a part of the type is unknown.
    pub(super) const fn has_unknown(&mut self, ty: Type) -> bool {
        match ty {
            Type::Basic(code) => code == basic::UNKNOWN,
            _ => self.has(ty, Part::Unknown, 0),
        }
    }

    /// Whether a type has such a part; true if that takes too many steps.
    const fn has(&mut self, ty: Type, wanted: Part, depth: u32) -> bool {
        match ty {
            Type::Basic(code) => code == basic::UNKNOWN && matches!(wanted, Part::Unknown),
            Type::Object(..) => false,
            _ if !self.step(depth) => true,
            Type::Var(n) => match wanted {
                Part::AnyVariable => true,
                Part::Variable(variable) if variable == n => true,
                _ => !self.is_free(n) && self.has(self.bound(n), wanted, depth + 1),
            },
            Type::List(inner) | Type::Optional(inner) | Type::Meta(inner) => {
                self.has(self.node(inner), wanted, depth + 1)
            }
            Type::Map(key, value) => {
                self.has(self.node(key), wanted, depth + 1)
                    || self.has(self.node(value), wanted, depth + 1)
            }
        }
    }

    const fn unify(&mut self, a: Type, b: Type, depth: u32) -> bool {
        if !self.step(depth) {
            return true;
        }
        if let Type::Var(variable) = b {
            match self.bind(variable, a, depth) {
                BindResult::Agrees => return true,
                BindResult::Conflicts => return false,
                BindResult::Occurs => {}
            }
        }
        if let Type::Var(variable) = a {
            return matches!(self.bind(variable, b, depth), BindResult::Agrees);
        }
        match (a, b) {
            (Type::Basic(a), Type::Basic(b)) => basics_fit(a, b),
            (Type::Basic(basic::UNKNOWN | basic::DYN), _)
            | (_, Type::Basic(basic::UNKNOWN | basic::DYN))
            | (Type::Meta(_), Type::Meta(_))
            | (Type::Basic(basic::NULL), Type::Object(..) | Type::Optional(_))
            | (Type::Object(..) | Type::Optional(_), Type::Basic(basic::NULL)) => true,
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
                self.unify(self.node(a), self.node(b), depth + 1)
            }
            (Type::Map(ak, av), Type::Map(bk, bv)) => {
                self.unify(self.node(ak), self.node(bk), depth + 1)
                    && self.unify(self.node(av), self.node(bv), depth + 1)
            }
            (Type::Object(_, a), Type::Object(_, b)) => a == b,
            _ => false,
        }
    }

    const fn bind(&mut self, variable: u16, ty: Type, depth: u32) -> BindResult {
        if let Type::Var(n) = ty
            && n == variable
        {
            return BindResult::Agrees;
        }
        if !self.is_free(variable) {
            let bound = self.bound(variable);
            if self.is_same(ty, bound, false, depth) {
                return BindResult::Agrees;
            }
            if !self.unify(ty, bound, depth + 1) {
                return BindResult::Conflicts;
            }
            let general = self.most_general(ty, bound);
            if !self.has(general, Part::Variable(variable), depth) {
                self.set(variable, general);
            }
            return BindResult::Agrees;
        }
        if self.has(ty, Part::Variable(variable), depth) {
            return BindResult::Occurs;
        }
        self.set(variable, ty);
        BindResult::Agrees
    }

    /// Whether two types are the same. If they are `settled`, free variables are taken as `dyn`.
    pub(super) const fn is_same(&mut self, a: Type, b: Type, settled: bool, depth: u32) -> bool {
        if !self.step(depth) {
            return true;
        }
        match (a, b) {
            (Type::Var(_), Type::Var(_) | Type::Basic(basic::DYN))
            | (Type::Basic(basic::DYN), Type::Var(_))
                if settled =>
            {
                true
            }
            (Type::Basic(a), Type::Basic(b)) => a == b,
            (Type::Object(_, a), Type::Object(_, b)) => a == b,
            (Type::Var(a), Type::Var(b)) => a == b,
            (Type::List(a), Type::List(b))
            | (Type::Optional(a), Type::Optional(b))
            | (Type::Meta(a), Type::Meta(b)) => {
                self.is_same(self.node(a), self.node(b), settled, depth + 1)
            }
            (Type::Map(ak, av), Type::Map(bk, bv)) => {
                self.is_same(self.node(ak), self.node(bk), settled, depth + 1)
                    && self.is_same(self.node(av), self.node(bv), settled, depth + 1)
            }
            _ => false,
        }
    }

    /// The more general of two types that unify.
    pub(super) const fn most_general(&mut self, a: Type, b: Type) -> Type {
        if self.is_as_general(a, b, 0) { a } else { b }
    }

    const fn is_as_general(&mut self, a: Type, b: Type, depth: u32) -> bool {
        if !self.step(depth) {
            return true;
        }
        match (a, b) {
            // An unknown type is the most general one.
            (Type::Basic(basic::UNKNOWN), _) => true,
            (_, Type::Basic(basic::UNKNOWN)) => false,
            (Type::Basic(basic::DYN) | Type::Var(_), _) | (Type::Meta(_), Type::Meta(_)) => true,
            (_, Type::Basic(basic::DYN) | Type::Var(_)) => false,
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
                self.is_as_general(self.node(a), self.node(b), depth + 1)
            }
            (Type::Map(ak, av), Type::Map(bk, bv)) => {
                self.is_as_general(self.node(ak), self.node(bk), depth + 1)
                    && self.is_as_general(self.node(av), self.node(bv), depth + 1)
            }
            (a, b) => self.is_same(a, b, false, depth),
        }
    }
}

const fn basics_fit(a: u8, b: u8) -> bool {
    a == b
        || a <= basic::DYN
        || b <= basic::DYN
        || (a == basic::NULL && is_nullable(b))
        || (b == basic::NULL && is_nullable(a))
}

/// Whether `null` is a value of the type.
const fn is_nullable(code: u8) -> bool {
    code >= basic::DURATION
}
