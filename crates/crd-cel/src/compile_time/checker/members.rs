//! Comparisons of enumerations with strings that are not among their values:
//! `self.phase == 'running'` never holds if `phase` is `Pending` or `Running`.

use super::{Checker, MAX_NON_MEMBERS, MAX_OPERANDS};
use crate::compile_time::code::{OPTIONAL_ENTRY, flag, op};
use crate::compile_time::declared::Declared;
use crate::compile_time::fuel::comparison;
use crate::compile_time::origin::Origin;
use crate::compile_time::site::Site;
use crate::compile_time::text::equal;

impl Checker<'_> {
    /// Checks the operands of `==`, `!=` and `in`, if one of them is an enumeration.
    pub(super) const fn compare_operands(&mut self, flags: u8, origins: &[Origin; MAX_OPERANDS]) {
        if flags & (flag::EQUALITY | flag::IN) == 0 {
            return;
        }
        self.compare_members(origins[0], origins[1]);
        // `'x' in self.list`, with a list of enumerations.
        let is_in = flags & flag::IN != 0;
        let other = if is_in { origins[1].elements(&mut self.types) } else { origins[1] };
        self.compare_members(other, origins[0]);
    }

    /// Notes the string literals in `with` that are not values of the enumeration `of`. A value of
    /// `oldSelf` may be one that the enumeration no longer has.
    const fn compare_members(&mut self, of: Origin, with: Origin) {
        let Some(site) = of.site else { return };
        if of.old || with.literal == 0 {
            return;
        }
        if self.code[with.literal - 1] == op::TEXT {
            return self.compare_member(site, with.literal);
        }
        // A list literal: flags, a count, and the elements with their positions.
        let mut at = with.literal + 1;
        let count = self.number_at(at);
        let end = at + 2 + 4 * count as usize;
        at += 2;
        while at < end {
            let element =
                self.values.origins[(self.number_at(at) & !OPTIONAL_ENTRY) as usize].literal;
            if element > 0 && self.code[element - 1] == op::TEXT {
                self.compare_member(site, element);
            }
            at += 4;
        }
    }

    const fn compare_member(&mut self, site: Site, literal: usize) {
        let text = self.literal(literal);
        let mut n = 0;
        while n < site.count() {
            let Declared::Enum(members) = self.types.nth(site, n) else { return };
            let mut i = 0;
            while i < members.len() {
                self.types.fuel.spent += comparison(members[i], text);
                if equal(members[i].as_bytes(), text.as_bytes()) {
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

    /// The 16-bit number at an offset of the program.
    pub(super) const fn number_at(&self, at: usize) -> u16 {
        (self.code[at] as u16) | ((self.code[at + 1] as u16) << 8)
    }

    /// The string of the [`op::TEXT`] whose operands begin at the offset `literal`.
    pub(super) const fn literal(&mut self, literal: usize) -> &'static str {
        let at = self.at;
        // Skips the position.
        self.at = literal + 2;
        let text = self.long_text();
        self.at = at;
        text
    }

    pub(super) const fn report_non_members(&mut self) {
        let mut i = 0;
        while i < self.non_member_count {
            let (site, literal) = self.non_members[i];
            let text = self.literal(literal);
            if self.issues.begin(self.number_at(literal)) {
                self.write("`");
                self.write(text);
                self.write("` is not a value of the enumeration");
                self.issues.text.push_members(&self.types, site, text);
            }
            i += 1;
        }
    }
}
