//! List and map literals, and comprehensions.

use super::{At, Checker, STEP};
use crate::compile_time::basic;
use crate::compile_time::code::flag;
use crate::compile_time::origin::{Origin, Value};
use crate::compile_time::types::Type;
use crate::minors::libraries::TWO_VARIABLES;

impl Checker<'_> {
    /// Reads an entry of a literal, and returns its type and position. The type of `[?e]` is the one in the optional.
    pub(super) const fn entry(&mut self) -> (Type, At) {
        self.types.fuel.spent += STEP;
        let at = self.at();
        let flags = self.byte();
        let ty = self.operand().ty;
        if flags & flag::OPTIONAL_ENTRY == 0 {
            return (ty, at);
        }
        match ty {
            Type::Optional(inner) => (self.types.node(inner), at),
            Type::Basic(basic::UNKNOWN | basic::DYN) => (ty, at),
            _ => {
                let expected = self.types.optional(ty);
                self.report_mismatch(at, expected, ty);
                (ty, at)
            }
        }
    }

    /// The common type of a literal's entries so far and one more.
    const fn join(&mut self, so_far: Type, ty: Type) -> Type {
        if self.types.assign(so_far, ty) {
            self.types.most_general(so_far, ty)
        } else {
            Type::Basic(basic::DYN)
        }
    }

    /// Reads the entries of a literal, `N` at a time, and returns their common types.
    const fn entries<const N: usize>(&mut self) -> [Type; N] {
        self.byte();
        let count = N * self.word() as usize;
        let mut common = [Type::Basic(basic::FREE); N];
        let mut i = 0;
        while i < count {
            let (ty, _) = self.entry();
            common[i % N] = if i < N { ty } else { self.join(common[i % N], ty) };
            i += 1;
        }
        while count == 0 && i < N {
            common[i] = Type::Var(self.types.fresh(1));
            i += 1;
        }
        common
    }

    pub(super) const fn list(&mut self, literal: &'static [u8]) {
        let [element] = self.entries();
        let ty = self.types.list(element);
        self.make(ty, Origin::literal(literal));
    }

    pub(super) const fn map(&mut self) {
        let [key, value] = self.entries();
        let ty = self.types.map(key, value);
        self.make(ty, Origin::COMPUTED);
    }

    pub(super) const fn iterate(&mut self) {
        let at = self.at();
        let two = self.byte() & flag::TWO != 0;
        let Value { ty: range, origin: range_origin } = self.operand();
        let Value { ty: initial, origin: initial_origin } = self.operand();
        if two {
            self.need(at, TWO_VARIABLES.first_minor(), "a macro of two variables");
        }
        let range = self.types.apply(range);
        let unknown = Type::Basic(basic::UNKNOWN);
        let (first, second) = match range {
            Type::List(element) => {
                let element = self.types.node(element);
                if two { (Type::Basic(basic::INT), element) } else { (element, unknown) }
            }
            Type::Map(key, value) => (self.types.node(key), self.types.node(value)),
            Type::Var(free) => {
                self.types.set(free, Type::Basic(basic::DYN));
                self.types.end_assignment(true);
                (Type::Basic(basic::DYN), Type::Basic(basic::DYN))
            }
            Type::Basic(basic::UNKNOWN | basic::DYN) => (range, range),
            _ => {
                if self.begin(at) {
                    self.write("expression of type '");
                    self.write_type(range);
                    self.write(
                        "' cannot be range of a comprehension (must be list, map, or dynamic)",
                    );
                }
                (unknown, unknown)
            }
        };
        self.make(initial, Origin { literal: &[], ..initial_origin });
        let elements = range_origin.elements(&mut self.types);
        let of_first = match range {
            Type::List(_) if !two => elements,
            _ => Origin::COMPUTED,
        };
        self.make(first, of_first);
        self.make(second, if two { elements } else { Origin::COMPUTED });
    }
}
