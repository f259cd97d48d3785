//! What `migrate` reports.

use std::fmt;

/// A remark on a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The line in the file as it was, from 1.
    pub line: usize,
    /// What it asks for.
    pub severity: Severity,
    /// What is to be said, without the place.
    pub text: String,
}

/// What a remark asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was not understood, and needs an edit.
    ByHand,
    /// The definition differs from kube's derive's.
    Differs,
    /// What kube's derive had got wrong.
    Mended,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ByHand => "by hand",
            Self::Differs => "differs",
            Self::Mended => "mended",
        })
    }
}
