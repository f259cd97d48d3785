//! The verdict on one document.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use crate::catalog;
use crate::field::Error;
use crate::location::{FieldLocation, FileLine};

/// A document and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Verdict {
    /// The first line of the document.
    pub(crate) place: FileLine,
    pub(crate) subject: Subject,
    pub(crate) result: DocumentResult,
    /// Whether it was validated as an update of an old one.
    pub(crate) is_update: bool,
    pub(crate) warnings: Vec<String>,
    /// How other minors of Kubernetes treat a CRD differently.
    pub(crate) incompatibilities: Vec<Incompatibility>,
    /// Paths of unknown fields.
    pub(crate) unknown_fields: Vec<String>,
    /// The object before and after the step that `--show` names.
    pub(crate) shown: Option<AdmissionStep>,
}

/// The identity of a document's object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

/// The result for a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DocumentResult {
    Valid,
    /// Fields are invalid: status 422.
    Invalid(Vec<LocatedError>),
    /// The server rejects the object as a whole.
    Rejected {
        /// The reason of the server's status, such as `BadRequest`.
        reason: &'static str,
        message: String,
    },
    /// It is not an object of the API.
    Unreadable {
        message: String,
        /// A hint about what the file may be.
        hint: Option<String>,
    },
    /// Its kind has no CRD.
    Skipped,
}

/// An error and the place of its field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LocatedError {
    pub(crate) error: Error,
    pub(crate) location: FieldLocation,
}

impl From<Error> for LocatedError {
    fn from(error: Error) -> Self {
        Self { error, location: FieldLocation::default() }
    }
}

impl LocatedError {
    /// Returns the server's text, and below it the place in Rust.
    pub(crate) fn text(&self) -> String {
        self.location.below(self.error.to_string())
    }
}

/// A part of a definition that a minor rejects, or treats differently from newer ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Incompatibility {
    pub(crate) kubernetes: KubernetesVersion,
    /// Whether the minor rejects the definition because of it.
    pub(crate) rejected: bool,
    /// Whether it is about the objects of the kind as a whole, and not about a place in the definition.
    pub(crate) is_general: bool,
    /// The place in the manifest.
    pub(crate) field: String,
    pub(crate) message: String,
    pub(crate) location: FieldLocation,
}

impl Incompatibility {
    pub(crate) fn new(
        kubernetes: KubernetesVersion,
        rejected: bool,
        field: &str,
        message: String,
    ) -> Self {
        let field = catalog::in_manifest(field);
        let location = FieldLocation::default();
        Self { kubernetes, rejected, is_general: false, field, message, location }
    }

    /// Returns a difference in how a minor handles the objects of the kind.
    pub(crate) fn general(kubernetes: KubernetesVersion, message: String) -> Self {
        Self { is_general: true, ..Self::new(kubernetes, false, "spec", message) }
    }

    /// Returns the field, if it is about one, the message, and below it the place in Rust.
    pub(crate) fn text(&self) -> String {
        if self.is_general {
            return self.message.clone();
        }
        self.location.below(format!("{}: {}", self.field, self.message))
    }
}

/// An object before and after a step of admission.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AdmissionStep {
    pub(crate) before: Value,
    pub(crate) after: Value,
}

impl Verdict {
    /// Returns a verdict without errors and warnings.
    pub(crate) fn of(place: FileLine, subject: Subject, result: DocumentResult) -> Self {
        let (warnings, unknown_fields) = (Vec::new(), Vec::new());
        let (incompatibilities, shown, is_update) = (Vec::new(), None, false);
        Self {
            place,
            subject,
            result,
            is_update,
            warnings,
            incompatibilities,
            unknown_fields,
            shown,
        }
    }

    /// Returns what is said of a valid document.
    pub(crate) fn valid(&self) -> &'static str {
        if self.is_update { "valid as an update" } else { "valid" }
    }

    /// Returns whether the server, or one of the minors in `--kubernetes`, would reject the document.
    pub(crate) fn is_bad(&self) -> bool {
        self.result.is_bad() || self.incompatibilities.iter().any(|found| found.rejected)
    }
}

impl Subject {
    /// Reads the kind and name of a document.
    pub(crate) fn of(document: &Value) -> Self {
        let text = |pointer| {
            document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        Self {
            api_version: text("/apiVersion"),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: match text("/metadata/name") {
                // The server generates a name with this prefix.
                name if name.is_empty() => text("/metadata/generateName"),
                name => name,
            },
        }
    }

    /// Returns the name that `kubectl apply` prints, such as `crontab.stable.example.com/my-crontab`.
    pub(crate) fn short(&self) -> String {
        let kind = self.kind.to_lowercase();
        match self.api_version.split_once('/') {
            Some((group, _)) => format!("{kind}.{group}/{}", self.name),
            None => format!("{kind}/{}", self.name),
        }
    }
}

impl DocumentResult {
    /// Returns whether the document is invalid or cannot be read.
    pub(crate) fn is_bad(&self) -> bool {
        match self {
            Self::Valid | Self::Skipped => false,
            Self::Invalid(_) | Self::Rejected { .. } | Self::Unreadable { .. } => true,
        }
    }
}
