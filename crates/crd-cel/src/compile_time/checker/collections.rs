//! List and map literals, and comprehensions.

use super::{Checker, STEP};
use crate::compile_time::basic;
use crate::compile_time::code::{OPTIONAL_ENTRY, flag};
use crate::compile_time::estimate::{self, Comprehension, Estimate, PathElement, SizeSource};
use crate::compile_time::types::Type;
use crate::kubernetes::Change;
use crate::minors::libraries::TWO_VARIABLES;

impl Checker<'_, '_> {
    /// Reads an entry of a literal, and returns its type and position. The type of `[?e]` is the one in the optional.
    pub(super) const fn entry(&mut self) -> (Type, u16) {
        self.types.spend(STEP);
        let index = self.word();
        let at = self.word();
        let ty = self.values.types[(index & !OPTIONAL_ENTRY) as usize];
        if index & OPTIONAL_ENTRY == 0 {
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

    pub(super) const fn list(&mut self) {
        let literal = self.at;
        self.byte();
        let count = self.word();
        let mut element = Type::Basic(basic::FREE);
        let mut estimate = Estimate::NOTHING.then(estimate::CREATE_LIST, 0);
        let mut i = 0;
        while i < count {
            estimate = estimate.and(self.estimate());
            let (ty, _) = self.entry();
            element = if i == 0 { ty } else { self.join(element, ty) };
            i += 1;
        }
        if count == 0 {
            element = Type::Var(self.types.fresh(1));
        }
        let ty = self.types.list(element);
        self.make(ty, Estimate { size: count as u64, literal, exact: true, ..estimate });
    }

    pub(super) const fn map(&mut self) {
        self.byte();
        let count = self.word();
        let mut key = Type::Basic(basic::FREE);
        let mut value = key;
        let mut estimate = Estimate::NOTHING.then(estimate::CREATE_MAP, 0);
        let mut i = 0;
        while i < count {
            estimate = estimate.and(self.estimate());
            let (k, _) = self.entry();
            key = if i == 0 { k } else { self.join(key, k) };
            estimate = estimate.and(self.estimate());
            let (v, _) = self.entry();
            value = if i == 0 { v } else { self.join(value, v) };
            i += 1;
        }
        if count == 0 {
            key = Type::Var(self.types.fresh(1));
            value = Type::Var(self.types.fresh(1));
        }
        let ty = self.types.map(key, value);
        self.make(ty, Estimate { size: count as u64, ..estimate });
    }

    pub(super) const fn iterate(&mut self) {
        let range_estimate = self.estimate();
        let range_at = self.index();
        let range = self.operand();
        let at = self.word();
        let initial_estimate = self.estimate();
        let initial = self.operand();
        let two = self.byte() & flag::TWO != 0;
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
                if self.issues.begin(at) {
                    self.write("expression of type '");
                    self.write_type(range);
                    self.write(
                        "' cannot be range of a comprehension (must be list, map, or dynamic)",
                    );
                }
                (unknown, unknown)
            }
        };
        let variable = if self.basis.is_before(Change::PartsHaveSizes) {
            let applied = self.types.apply(initial);
            let otherwise = self.types.size_of(applied);
            initial_estimate.bound_by_name(self.basis, otherwise, &mut self.types.fuel)
        } else {
            initial_estimate.bound()
        };
        self.make(initial, variable);
        let of_first = match (range, two) {
            (Type::List(_), false) => Some(PathElement::Elements),
            (Type::List(_), true) => Some(PathElement::Indices),
            (Type::Map(..) | Type::Basic(basic::DYN) | Type::Var(_), _) => Some(PathElement::Keys),
            _ => None,
        };
        let element = match of_first {
            Some(part) => self.element(range_estimate, part, first),
            None => Estimate { cost: 1, at: SizeSource::Unknown, ..Estimate::NOTHING },
        };
        let element = match &mut self.trace {
            Some(trace) if !two => trace.element(self.value_count, range_at, element),
            _ => element,
        };
        self.make(first, element);
        let value = match of_first {
            Some(_) if two => self.element(range_estimate, PathElement::Elements, second),
            _ => Estimate { cost: 1, at: SizeSource::Unknown, ..Estimate::NOTHING },
        };
        let value = match &mut self.trace {
            Some(trace) if two => trace.element(self.value_count, range_at, value),
            _ => value,
        };
        self.make(second, value);
    }

    const fn element(&mut self, range: Estimate, part: PathElement<'_>, ty: Type) -> Estimate {
        let applied = self.types.apply(ty);
        let otherwise = self.types.size_of(applied);
        range.element(part, self.basis, otherwise, &mut self.types.fuel)
    }

    pub(super) const fn estimate_comprehension(&mut self) {
        let result = self.estimate();
        let ty = self.operand();
        let range = self.estimate();
        // Skips this operand and the next two: only their estimates are needed.
        self.at += 2;
        let init = self.estimate();
        self.at += 2;
        let next = self.estimate();
        self.at += 2;
        let condition = self.byte() as u64;
        let flags = self.byte();
        let comprehension = Comprehension {
            range,
            init,
            next,
            result,
            condition,
            binds: flags & flag::BINDS != 0,
            collects: flags & flag::COLLECTS != 0,
        };
        if comprehension.binds || !comprehension.collects {
            self.vary_before(Change::PartsHaveSizes.minor());
        }
        let ty = self.types.apply(ty);
        self.make(ty, comprehension.estimate(self.basis));
    }
}
