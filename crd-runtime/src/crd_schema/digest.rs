//! Digests of the rules and of the default of a type, by which rustc compares two types. Comparing their texts would take
//! rustc too long.

/// The default in a schema.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultDigest {
    /// There is none.
    None,
    /// The derive does not know its value.
    Unknown,
    /// The hash of its value.
    Known(u64),
}

/// The rules of a type itself, in their order.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct RuleDigest {
    count: u32,
    hash: u64,
    /// Whether the derive knows the texts of all rules.
    known: bool,
    /// Whether one of the rules cannot move from a field to the object that has the field.
    fixed: bool,
}

/// The base of the polynomial that combines the hashes of rules.
const BASE: u64 = 0x0000_0100_0000_01b3;

impl RuleDigest {
    /// No rules.
    pub const NONE: Self = Self { count: 0, hash: 0, known: true, fixed: false };

    /// Returns the digest of rules with these hashes. 0 stands for a text that is not known.
    #[must_use]
    pub const fn of(hashes: &[u64]) -> Self {
        let mut all = Self::NONE;
        let mut at = 0;
        while at < hashes.len() {
            all = all.then(Self { count: 1, hash: hashes[at], known: hashes[at] != 0, ..all });
            at += 1;
        }
        all
    }

    /// Adds rules after these. The digest depends only on the sequence of rules, not on the types that they come from.
    #[must_use]
    pub const fn then(self, later: Self) -> Self {
        let (mut hash, mut at) = (self.hash, 0);
        while at < later.count {
            hash = hash.wrapping_mul(BASE);
            at += 1;
        }
        Self {
            count: self.count + later.count,
            hash: hash.wrapping_add(later.hash),
            known: self.known && later.known,
            fixed: self.fixed || later.fixed,
        }
    }

    /// Returns the digest of the same rules. If `changed` is true, their texts have been changed and are not known.
    #[must_use]
    pub const fn changed_if(self, changed: bool) -> Self {
        Self { known: self.known && (!changed || self.count == 0), ..self }
    }

    /// Returns the digest of the same rules, of which one cannot move from a field to the object that has the field.
    #[must_use]
    pub const fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// Returns no rules if `there` is false.
    #[must_use]
    pub const fn only_if(self, there: bool) -> Self {
        if there { self } else { Self::NONE }
    }

    /// Whether there is no rule.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    pub(crate) const fn is_fixed(self) -> bool {
        self.fixed
    }

    /// Returns a number by which rules are compared: 0 without rules, 1 if a text is not known, and otherwise a hash.
    pub(crate) const fn number(self) -> u64 {
        match (self.count, self.known) {
            (0, _) => 0,
            (_, false) => 1,
            _ if self.hash < 2 => 2,
            _ => self.hash,
        }
    }

    /// Whether the rules certainly differ.
    pub(crate) const fn differ(self, other: Self) -> bool {
        (self.count == 0) != (other.count == 0)
            || self.known && other.known && (self.count != other.count || self.hash != other.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_several_types_are_those_of_one() {
        let one = RuleDigest::of(&[3, 5, 7]);
        let two = RuleDigest::of(&[3]).then(RuleDigest::NONE).then(RuleDigest::of(&[5, 7]));
        assert!(!one.differ(two) && one.differ(RuleDigest::of(&[3, 7, 5])));
        assert!(one.differ(RuleDigest::NONE) && !RuleDigest::of(&[0]).differ(one));
        assert!(!RuleDigest::NONE.changed_if(true).differ(RuleDigest::NONE));
    }
}
