//! Types that can be read as a CustomResourceDefinition.

use std::borrow::Cow;

use super::{CustomResourceDefinition, Names};
use crate::field::ErrorList;

/// A type for definitions: this crate's own, or k8s-openapi's with the feature `k8s-openapi`.
pub trait Manifest {
    /// Returns the definition in this crate's model.
    ///
    /// # Errors
    /// `Invalid value` at the root if the definition does not fit this crate's model.
    fn manifest(&self) -> Result<Cow<'_, CustomResourceDefinition>, ErrorList>;
}

impl Manifest for CustomResourceDefinition {
    fn manifest(&self) -> Result<Cow<'_, CustomResourceDefinition>, ErrorList> {
        Ok(Cow::Borrowed(self))
    }
}

impl Names {
    /// Fills in the names that the server derives from the kind.
    ///
    /// Source: `pkg/apis/apiextensions/v1/defaults.go`, `SetDefaults_CustomResourceDefinitionSpec`.
    pub fn apply_defaults(&mut self) {
        if self.singular.is_empty() {
            self.singular = to_lower(&self.kind);
        }
        if self.list_kind.is_empty() && !self.kind.is_empty() {
            self.list_kind = format!("{}List", self.kind);
        }
    }
}

/// Converts text to lower case as Go's `strings.ToLower` does, which maps each character to one.
///
/// In Unicode, only U+0130 is mapped to several characters, of which Go keeps the first. Characters that got a lower
/// case after Unicode 15, the version of Go 1.26, are unchanged.
pub fn to_lower(text: &str) -> String {
    let lower = |c: char| match c {
        '\u{1c89}'
        | '\u{a7cb}'
        | '\u{a7cc}'
        | '\u{a7ce}'
        | '\u{a7d2}'
        | '\u{a7d4}'
        | '\u{a7da}'
        | '\u{a7dc}'
        | '\u{10d50}'..='\u{10d65}'
        | '\u{16ea0}'..='\u{16eb8}' => c,
        c => c.to_lowercase().next().unwrap_or(c),
    };
    text.chars().map(lower).collect()
}

#[cfg(test)]
mod tests {
    use super::to_lower;

    #[test]
    fn each_character_is_mapped_to_one() {
        assert_eq!(to_lower("Ab\u{130}\u{212a}\u{1c5}"), "abik\u{1c6}");
        // Rust's `str::to_lowercase` maps a sigma at the end of a word to another character.
        assert_eq!(to_lower("\u{3a3}\u{3a3}"), "\u{3c3}\u{3c3}");
        assert_eq!(to_lower("\u{a7cb}\u{a7dc}\u{a7d0}"), "\u{a7cb}\u{a7dc}\u{a7d1}");
    }
}
