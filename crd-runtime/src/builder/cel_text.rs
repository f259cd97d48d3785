//! Writes names and strings in generated rules.

use std::borrow::Cow;

use crd_cel::escape::escape;
use crd_cel::gofmt;

/// Returns the name of a property as rules write it.
///
/// Source: apiserver `pkg/cel/escaping.go`, `Escape`.
#[must_use]
pub fn cel_field(name: &str) -> String {
    // Some names cannot be written in rules. The checks of the definition reject a rule with such a name.
    escape(name).unwrap_or(Cow::Borrowed(name)).into_owned()
}

/// Returns a string literal of CEL.
#[must_use]
pub fn cel_string(text: &str) -> String {
    gofmt::quote(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_escaped() {
        for (name, want) in [
            ("replicas", "replicas"),
            ("a-b.c/d", "a__dash__b__dot__c__slash__d"),
            ("a__b", "a__underscores__b"),
            ("namespace", "__namespace__"),
        ] {
            assert_eq!(cel_field(name), want);
        }
    }
}
