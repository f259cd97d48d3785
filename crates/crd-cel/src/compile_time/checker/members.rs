//! Comparisons of enumerations with strings that are not among their values:
//! `self.phase == 'running'` never holds if `phase` is `Pending` or `Running`.

use super::{At, Checker, MAX_NON_MEMBERS, MAX_OPERANDS};
use crate::compile_time::code::{flag, op};
use crate::compile_time::declared::Declared;
use crate::compile_time::fuel::comparison;
use crate::compile_time::name::Name;
use crate::compile_time::origin::{Origin, Value};
use crate::compile_time::site::Site;

impl Checker<'_> {
    /// Checks the operands of `==`, `!=` and `in`, if one of them is an enumeration.
    pub(super) const fn compare_operands(
        &mut self,
        flags: u8,
        [first, second, ..]: &[Value; MAX_OPERANDS],
    ) {
        let (first, second) = (&first.origin, &second.origin);
        if let [_, ..] = second.literal {
            self.compare_members(*first, *second);
        }
        if let [_, ..] = first.literal {
            // `'x' in self.list`, with a list of enumerations.
            let is_in = flags & flag::IN != 0;
            let other = if is_in { second.elements(&mut self.types) } else { *second };
            self.compare_members(other, *first);
        }
    }

    /// Notes the string literals in `with` that are not values of the enumeration `of`. A value of
    /// `oldSelf` may be one that the enumeration no longer has.
    const fn compare_members(&mut self, of: Origin, with: Origin) {
        let Some(site) = of.site else { return };
        if of.old {
            return;
        }
        let rest = self.rest;
        match with.literal {
            [op::TEXT, literal @ ..] => self.compare_member(site, literal),
            [op::LIST, _, entries @ ..] => {
                self.rest = entries;
                let mut count = self.word();
                while count > 0 {
                    // Its position and flags.
                    self.skip(3);
                    if let [op::TEXT, literal @ ..] = self.operand().origin.literal {
                        let entries = self.rest;
                        self.compare_member(site, literal);
                        self.rest = entries;
                    }
                    count -= 1;
                }
            }
            _ => {}
        }
        self.rest = rest;
    }

    const fn compare_member(&mut self, site: Site, literal: At) {
        let text = self.literal(literal);
        let mut n = 0;
        while n < site.count() {
            let Declared::Enum(members) = self.types.nth(site, n) else { return };
            let mut i = 0;
            while i < members.len() {
                self.types.fuel.spent += comparison(members[i], text);
                if text.is(members[i].as_bytes()) {
                    return;
                }
                i += 1;
            }
            n += 1;
        }
        if self.non_member_count < MAX_NON_MEMBERS {
            self.non_members[self.non_member_count] = (site, literal);
            self.non_member_count += 1;
        }
    }

    /// The string of an [`op::TEXT`].
    const fn literal(&mut self, literal: At) -> Name<'static> {
        self.rest = literal;
        self.at();
        self.name()
    }

    pub(super) const fn report_non_members(&mut self) {
        let mut i = 0;
        while i < self.non_member_count {
            let (site, literal) = self.non_members[i];
            let text = self.literal(literal).text();
            if self.begin(literal) {
                self.write("`");
                self.write(text);
                self.write("` is not a value of the enumeration");
                self.issues.text.push_members(&self.types, site, text);
            }
            i += 1;
        }
    }
}
