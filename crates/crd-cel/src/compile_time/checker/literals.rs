//! The second pass over a program, which runs if the first finds no error: checks that need the final types of literals.

use super::{Checker, STEP};
use crate::clause::Clause;
use crate::compile_time::basic;
use crate::compile_time::code::{flag, op};
use crate::compile_time::types::Type;

impl Checker<'_> {
    /// Skips an operation of the first pass. Checks the entries of list and map literals and the arguments of format
    /// strings, and reports errors in literals. Returns whether it was not the end.
    pub(super) const fn step_over(&mut self) -> bool {
        self.types.fuel.spent += STEP;
        match self.byte() {
            op::END => return false,
            op::BASIC | op::TYPE => self.skip(1),
            op::SINCE => self.skip(3),
            op::TEXT | op::EXPECT | op::UNDECLARED => self.skip(6),
            op::ITERATE => self.skip(7),
            op::LOGIC => self.skip(8),
            op::FIELD => self.skip(9),
            op::CALL => {
                self.skip(5);
                let operands = self.byte() as usize;
                self.skip(2 * operands);
                let overloads = self.byte() as usize;
                self.skip(2 * overloads);
            }
            op::LIST => self.uniform(1),
            op::MAP => self.uniform(2),
            op::INVALID => {
                let at = self.at();
                let what = self.name();
                if self.begin(at) {
                    self.write(what.text());
                }
            }
            op::FAILS => {
                let why = self.name();
                if self.cannot_be_planned.is_none() {
                    self.cannot_be_planned = Some(why.text());
                }
            }
            // op::FORMAT
            _ => self.format(),
        }
        true
    }

    /// Reports the first argument of a format string whose type its clause does not print, or else the error in the
    /// format string itself.
    const fn format(&mut self) {
        let call = self.at();
        let wrong = self.name();
        let mut count = self.byte() as usize;
        while count > 0 {
            count -= 1;
            let at = self.at();
            let clause = Clause::ALL[self.byte() as usize];
            let ty = self.operand().ty;
            let ty = self.types.apply(ty);
            if !prints(clause, ty) {
                self.skip(5 * count);
                if self.begin(at) {
                    self.write("error during formatting: ");
                    self.write(clause.type_error());
                    self.write(", was given ");
                    self.issues.text.push_runtime_name(&self.types, ty);
                }
                return;
            }
        }
        if wrong.len > 0 && self.begin(call) {
            self.write(wrong.text());
        }
    }

    /// Reports elements of a list, and keys and values of a map, that differ in type.
    const fn uniform(&mut self, kinds: u16) {
        let mixed = self.byte() & flag::MIXED != 0;
        let count = self.word() * kinds;
        let mut expected = [Type::Basic(basic::FREE); 2];
        let mut wrong = false;
        let mut i = 0;
        while i < count {
            let (ty, at) = self.entry();
            let ty = self.types.apply(ty);
            let kind = (i % kinds) as usize;
            if i < kinds {
                expected[kind] = ty;
            } else if !mixed
                && (!wrong || kinds != 1)
                && !self.types.has_unknown(ty)
                && !self.types.has_unknown(expected[kind])
                && !self.types.is_same(expected[kind], ty, true, 0)
            {
                self.report_mismatch(at, expected[kind], ty);
                wrong = true;
            }
            i += 1;
        }
    }
}

/// Whether a clause of a format string accepts a type. A type that is not known here is accepted.
const fn prints(clause: Clause, ty: Type) -> bool {
    match ty {
        Type::Basic(code) => clause.prints(code),
        Type::Var(_) => true,
        Type::List(_) | Type::Map(..) | Type::Meta(_) => matches!(clause, Clause::String),
        Type::Object(..) | Type::Optional(_) => false,
    }
}
