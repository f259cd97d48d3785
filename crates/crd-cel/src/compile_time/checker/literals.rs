//! The second pass over a program, which runs if the first finds no error: checks that need the final types of literals.

use super::calls::RUN;
use super::{Checker, STEP};
use crate::clause::Clause;
use crate::compile_time::basic;
use crate::compile_time::code::{flag, op};
use crate::compile_time::types::Type;

impl Checker<'_> {
    /// Skips an operation of the first pass. Checks the entries of list and map literals and the arguments of format
    /// strings, and reports errors in literals.
    pub(super) const fn step_over(&mut self) {
        self.types.fuel.spent += STEP;
        match self.byte() {
            op::SINCE => self.at += 3,
            op::TEXT => {
                self.at += 2;
                self.long_text();
            }
            op::BASIC | op::TYPE => self.at += 1,
            op::FIELD => {
                self.at += 5;
                self.name();
            }
            op::CALL => {
                self.at += 5;
                let runs = self.byte() as usize;
                self.at += RUN * runs;
                let operands = self.byte() as usize;
                self.at += 2 * operands;
            }
            op::LOGIC => self.at += 8,
            op::ITERATE => self.at += 7,
            op::EXPECT => self.at += 6,
            op::LIST => self.uniform(1),
            op::MAP => self.uniform(2),
            op::INVALID => {
                let at = self.word();
                let what = self.long_text();
                if self.issues.begin(at) {
                    self.write(what);
                }
            }
            op::FAILS => {
                let why = self.long_text();
                if self.cannot_be_planned.is_none() {
                    self.cannot_be_planned = Some(why);
                }
            }
            op::FORMAT => self.format(),
            // op::UNDECLARED
            _ => {
                self.at += 2;
                self.name();
            }
        }
    }

    /// Reports the first argument of a format string whose type its clause does not print, or else the error in the
    /// format string itself.
    const fn format(&mut self) {
        let call = self.word();
        let wrong = self.long_text();
        let count = self.byte() as usize;
        let end = self.at + 5 * count;
        while self.at < end {
            let ty = self.operand();
            let at = self.word();
            let clause = Clause::ALL[self.byte() as usize];
            let ty = self.types.apply(ty);
            if !prints(clause, ty) {
                self.at = end;
                if self.issues.begin(at) {
                    self.write("error during formatting: ");
                    self.write(clause.type_error());
                    self.write(", was given ");
                    self.issues.text.push_runtime_name(&self.types, ty);
                }
                return;
            }
        }
        if !wrong.is_empty() && self.issues.begin(call) {
            self.write(wrong);
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
