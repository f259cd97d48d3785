//! A rule as a derive emits it for rustc, and what its check has found.

use super::declared::Declared;

/// The elements of a list or the values of a map, in [`Rule::path`].
pub const ELEMENTS: &str = "[]";

/// The role of an expression, which determines its type.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// A rule: `bool`.
    Rule,
    /// A message expression: `string`.
    Message,
}

/// An expression, and the type of `self` in it.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The type of `self`.
    pub of: &'static Declared,
    /// Whether `oldSelf` is an optional.
    pub optional_old_self: bool,
    /// The role of the expression.
    pub want: Want,
    /// Whether `unchecked` turns the lints off.
    pub unchecked: bool,
    /// The expression as written.
    pub source: &'static str,
    /// The expression as [`Program`](super::Program).
    pub program: &'static [u8],
    /// The path from `of` to `self`: names of properties as rules write them, and [`ELEMENTS`].
    pub path: &'static [&'static str],
}

/// Returns a rule of values of the type `of`.
#[must_use]
pub const fn rule(of: &'static Declared, source: &'static str, program: &'static [u8]) -> Rule {
    let want = Want::Rule;
    Rule { of, optional_old_self: false, want, unchecked: false, source, program, path: &[] }
}

/// The result of checking an expression.
#[derive(Debug, Clone, Copy)]
pub struct Examined {
    pub(super) rule: Rule,
    /// Whether the server would reject it.
    pub(super) rejected: bool,
    /// The first minor of Kubernetes that has all functions that it calls; 0 if all known minors
    /// do.
    pub(super) since: u32,
}

impl Examined {
    /// Whether servers of all known minors accept it.
    #[must_use]
    pub const fn is_accepted_by_all(&self) -> bool {
        !self.rejected && self.since == 0
    }
}
