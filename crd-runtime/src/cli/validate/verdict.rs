//! What is said of one document.

use serde_json::Value;

use crate::field::Error;

/// One document, judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    pub(super) file: String,
    /// The line on which the document begins; 0 where nothing could be read.
    pub(super) line: usize,
    pub(super) subject: Subject,
    pub(super) ruling: Ruling,
    pub(super) warnings: Vec<String>,
    /// Paths of the fields that nothing specifies.
    pub(super) unknown_fields: Vec<String>,
    /// What `--show` asks for.
    pub(super) shown: Option<Shown>,
}

/// What a document is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

/// How a document is judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ruling {
    Valid,
    /// Its fields are wrong: status 422.
    Invalid(Vec<Error>),
    /// The server refuses it as a whole.
    Refused {
        /// The reason of the server's status, such as `BadRequest`.
        reason: &'static str,
        message: String,
    },
    /// It is no document.
    Unreadable(String),
    /// Its kind has no CRD.
    Skipped,
}

/// An object before and after a step of admission.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shown {
    pub(super) before: Value,
    pub(super) after: Value,
}

impl Subject {
    /// Reads what a document claims to be.
    pub(super) fn of(document: &Value) -> Self {
        let text = |pointer| {
            document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        Self {
            api_version: text("/apiVersion"),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        }
    }

    /// `crontab.stable.example.com/my-crontab`, as `kubectl` names what it has applied.
    pub(super) fn short(&self) -> String {
        let kind = self.kind.to_lowercase();
        match self.api_version.split_once('/') {
            Some((group, _)) => format!("{kind}.{group}/{}", self.name),
            None => format!("{kind}/{}", self.name),
        }
    }
}

impl Ruling {
    /// Whether the server would take the document.
    pub(super) fn is_bad(&self) -> bool {
        match self {
            Self::Valid | Self::Skipped => false,
            Self::Invalid(_) | Self::Refused { .. } | Self::Unreadable(_) => true,
        }
    }
}
