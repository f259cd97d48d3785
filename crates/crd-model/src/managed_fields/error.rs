//! The errors of an extraction.

use std::fmt;

/// The reason why nothing can be extracted from an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// `fieldsV1` is malformed, which it never is if the server wrote it.
    Malformed {
        /// The position in `fieldsV1`, such as `/f:spec/f:ports`; empty for the whole.
        at: String,
        /// The problem.
        why: String,
    },
    /// A list of the object does not match its list type, for example because two items have the same keys.
    List {
        /// The list, as a path in the object.
        at: String,
        /// The problem.
        why: String,
    },
    /// The manager owns fields that neither the object nor the schema has, such as those of a newer version.
    Undeclared {
        /// Each such field, as a path in the object.
        fields: Vec<String>,
    },
    /// The fields that the manager owns cannot be read as an apply configuration of the kind.
    Mismatch {
        /// The error of serde.
        why: String,
    },
    /// The Rust type drops fields that the manager owns.
    Dropped {
        /// Each such field, as a path in the object.
        fields: Vec<String>,
    },
}

impl Error {
    pub(super) fn malformed(at: &str, why: impl Into<String>) -> Self {
        Self::Malformed { at: at.to_owned(), why: why.into() }
    }

    pub(super) fn list(at: &str, why: impl Into<String>) -> Self {
        Self::List { at: at.to_owned(), why: why.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { at, why } if at.is_empty() => write!(f, "fieldsV1: {why}"),
            Self::Malformed { at, why } => write!(f, "fieldsV1 at {at}: {why}"),
            Self::List { at, why } => write!(f, "{at}: {why}"),
            Self::Undeclared { fields } => write!(
                f,
                "the manager owns fields that the type does not know: {}; applying without them would \
                 delete them: add them to the type, or read the object in the version that has them",
                fields.join(", ")
            ),
            Self::Mismatch { why } => {
                write!(f, "what the manager owns does not fit the apply configuration: {why}")
            }
            Self::Dropped { fields } => write!(
                f,
                "the type drops fields that the manager owns: {}; applying without them would delete \
                 them: give them a field, or keep them in a flattened map",
                fields.join(", ")
            ),
        }
    }
}

impl std::error::Error for Error {}
