//! Names and strings in rules that the derive writes.

use std::borrow::Cow;

use crd_cel::escape::escape;
use crd_cel::gofmt;

/// A property's name as CEL selects it.
///
/// Source: apiserver `pkg/cel/escaping.go`, `Escape`.
#[must_use]
pub fn cel_field(name: &str) -> String {
    // A name without an identifier is written as it is: the checks of the definition refuse the rule.
    escape(name).unwrap_or(Cow::Borrowed(name)).into_owned()
}

/// A string literal of CEL.
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
