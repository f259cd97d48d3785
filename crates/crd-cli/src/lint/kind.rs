//! A lint: what the server accepts, and what people should know about it.

use super::definition::{Definition, Findings};

/// A lint.
pub(super) struct Lint {
    /// Its name, as in `#[crd(allow(..))]` and in the output.
    pub(super) id: &'static str,
    /// The level without options.
    pub(super) level: Level,
    /// What it finds, in a few words.
    pub(super) finds: &'static str,
    /// Why it matters.
    pub(super) why: &'static str,
    /// How to mend it in Rust.
    pub(super) in_rust: &'static str,
    /// How to mend it in YAML.
    pub(super) in_yaml: &'static str,
    /// A part of a definition in which it finds something.
    pub(super) bad: Example,
    /// The same part, mended.
    pub(super) good: Example,
    /// Finds it.
    pub(super) find: fn(&Definition<'_>, &mut Findings),
}

impl std::fmt::Debug for Lint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// Lints are constants: two with one name are the same.
impl PartialEq for Lint {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// What is done with the findings of a lint, as rustc does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Nothing.
    Allow,
    /// They are reported.
    Warn,
    /// They are reported, and the command fails.
    Deny,
}

impl Level {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

/// A part of a definition, in YAML.
#[derive(Debug, Clone, Copy)]
pub(super) enum Example {
    /// The properties of `spec`.
    Spec(&'static str),
    /// Keys of a version.
    Version(&'static str),
    /// Keys of the `spec` of the definition.
    Definition(&'static str),
}

impl Example {
    /// Returns the text, and where it is in a definition.
    pub(super) fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Spec(text) => (text, "the properties of `spec`"),
            Self::Version(text) => (text, "a version of the definition"),
            Self::Definition(text) => (text, "the `spec` of the definition"),
        }
    }
}
