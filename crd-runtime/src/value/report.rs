//! What is wrong, gathered without repeating a message.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

use super::location::Location;
use crate::field::{BadValue, Error, ErrorList, Path};
use crate::json;

/// What a walk makes of what is wrong.
///
/// The walk is written once, for three that ask differently: [`Verdict`] only whether a value is valid,
/// [`Findings`] what is wrong with it, [`Outcome`] also how close a value came that is held against several
/// schemas.
pub(super) trait Record: Default {
    /// What is asked of the schemas of a junctor, where none is kept and the closest must be known.
    type Close: Record<Close = Self::Close>;

    /// Whether the order of what is wrong matters.
    const ORDERED: bool;

    /// Whether it is kept how much of the schema a value met.
    const COUNTED: bool;

    /// Whether nothing has failed.
    fn is_valid(&self) -> bool;

    /// Whether what is left of the value cannot change the record.
    fn is_decided(&self) -> bool;

    /// Notes something that is wrong.
    fn fail(&mut self, failure: impl FnOnce() -> Failure);

    /// Notes that the value met something of the schema.
    fn count(&mut self);

    /// How much of the schema the value met: the higher of two failures came closer.
    fn matched(&self) -> u64;

    /// Takes over what another record holds.
    fn merge(&mut self, other: Self);

    /// Takes over what is wrong by the schema that came closest.
    fn merge_close(&mut self, close: Self::Close);

    /// Drops what is wrong; what matched stays.
    fn forgive(&mut self);
}

/// Whether anything is wrong.
#[derive(Debug, Default)]
#[must_use]
pub(super) struct Verdict {
    failed: bool,
}

impl Record for Verdict {
    type Close = Self;
    const ORDERED: bool = false;
    const COUNTED: bool = false;

    #[inline]
    fn is_valid(&self) -> bool {
        !self.failed
    }

    #[inline]
    fn is_decided(&self) -> bool {
        self.failed
    }

    #[inline]
    fn fail(&mut self, _: impl FnOnce() -> Failure) {
        self.failed = true;
    }

    #[inline]
    fn count(&mut self) {}

    #[inline]
    fn matched(&self) -> u64 {
        0
    }

    #[inline]
    fn merge(&mut self, other: Self) {
        self.failed |= other.failed;
    }

    #[inline]
    fn merge_close(&mut self, close: Self) {
        self.merge(close);
    }

    #[inline]
    fn forgive(&mut self) {
        self.failed = false;
    }
}

/// What is wrong.
#[derive(Debug, Default)]
#[must_use]
pub(super) struct Findings {
    report: Option<Box<Report>>,
}

/// What is wrong, and how much of the schema the value met.
#[derive(Debug, Default)]
#[must_use]
pub(super) struct Outcome {
    matched: u64,
    findings: Findings,
}

/// Failures in the order in which they were found, each message once.
///
/// Source: `pkg/validation/validate/result.go`, `Result.AddErrors`.
#[derive(Debug, Default)]
struct Report {
    failures: Vec<Failure>,
    /// The failures by a hash of their message, once they are more than [`COMPARED`].
    by_message: HashMap<u64, usize>,
}

/// Up to how many failures are compared each with each.
const COMPARED: usize = 16;

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct Failure {
    /// The rendered place.
    name: String,
    message: String,
    fault: Fault,
}

/// What is wrong, as far as the field error depends on it.
#[derive(Debug)]
pub(super) enum Fault {
    Required,
    /// The value, and what it may be.
    Enum(Value, Vec<String>),
    /// The most code points.
    TooLong(i64),
    /// The count, and the most it may be.
    TooMany(i64, i64),
    /// The wrong type, or the text that is of the wrong format.
    Type(String),
    Invalid(BadValue),
    /// No place of its own: the error stands where the validation began.
    Placeless,
}

impl Failure {
    /// `message` begins with the place, which the caller rendered.
    pub(super) fn new(name: String, message: String, fault: Fault) -> Self {
        Self { name, message, fault }
    }

    /// A failure whose message is the place, `in body`, and a text.
    pub(super) fn at(at: &Location<'_>, text: &str, fault: Fault) -> Self {
        let name = at.render();
        let message = [&name, " in body ", text].concat();
        Self { name, message, fault }
    }

    /// A failure without a place of its own.
    pub(super) fn placeless(message: String) -> Self {
        Self { name: String::new(), message, fault: Fault::Placeless }
    }

    /// Source: `pkg/apiserver/validation/validation.go`, `kubeOpenAPIResultToFieldErrors`.
    fn into_error(self, base: &Path<'_>) -> Error {
        let name = self.name.strip_prefix('.').unwrap_or(&self.name);
        let below = base.field(name);
        let path = if self.name.is_empty() || self.name == "." { base } else { &below };
        match self.fault {
            Fault::Required => Error::required(path, ""),
            Fault::Enum(value, allowed) => Error::not_supported(path, value, allowed),
            Fault::TooLong(limit) => Error::too_long(path, limit),
            Fault::TooMany(count, limit) => Error::too_many(path, count, limit),
            Fault::Type(actual) => Error::type_invalid(path, actual, self.message),
            Fault::Invalid(value) => Error::invalid(path, value, self.message),
            Fault::Placeless => Error::invalid(base, "", self.message),
        }
    }
}

impl Report {
    fn push(&mut self, failure: Failure) {
        let next = self.failures.len();
        if next < COMPARED {
            if self.failures.iter().all(|known| known.message != failure.message) {
                self.failures.push(failure);
            }
            return;
        }
        if self.by_message.is_empty() {
            let hashes = self.failures.iter().map(hash_of);
            self.by_message = hashes.zip(0..).collect();
        }
        let first = *self.by_message.entry(hash_of(&failure)).or_insert(next);
        // Two messages of one hash are told apart, so that no failure is lost.
        if self.failures.get(first).is_none_or(|known| known.message != failure.message) {
            self.failures.push(failure);
        }
    }
}

fn hash_of(failure: &Failure) -> u64 {
    let mut hasher = DefaultHasher::new();
    failure.message.hash(&mut hasher);
    hasher.finish()
}

impl Record for Findings {
    type Close = Outcome;
    const ORDERED: bool = true;
    const COUNTED: bool = false;

    #[inline]
    fn is_valid(&self) -> bool {
        self.report.is_none()
    }

    #[inline]
    fn is_decided(&self) -> bool {
        false
    }

    #[cold]
    fn fail(&mut self, failure: impl FnOnce() -> Failure) {
        self.report.get_or_insert_default().push(failure());
    }

    #[inline]
    fn count(&mut self) {}

    #[inline]
    fn matched(&self) -> u64 {
        0
    }

    #[inline]
    fn merge(&mut self, other: Self) {
        match (&mut self.report, other.report) {
            (_, None) => {}
            (none @ None, other) => *none = other,
            (Some(report), Some(other)) => {
                for failure in other.failures {
                    report.push(failure);
                }
            }
        }
    }

    fn merge_close(&mut self, close: Outcome) {
        self.merge(close.findings);
    }

    fn forgive(&mut self) {
        self.report = None;
    }
}

impl Record for Outcome {
    type Close = Self;
    const ORDERED: bool = true;
    const COUNTED: bool = true;

    fn is_valid(&self) -> bool {
        self.findings.is_valid()
    }

    fn is_decided(&self) -> bool {
        false
    }

    fn fail(&mut self, failure: impl FnOnce() -> Failure) {
        self.findings.fail(failure);
    }

    fn count(&mut self) {
        self.matched += 1;
    }

    fn matched(&self) -> u64 {
        self.matched
    }

    fn merge(&mut self, other: Self) {
        self.matched += other.matched;
        self.findings.merge(other.findings);
    }

    fn merge_close(&mut self, close: Self) {
        self.merge(close);
    }

    fn forgive(&mut self) {
        self.findings.forgive();
    }
}

impl Findings {
    pub(super) fn into_errors(self, base: &Path<'_>) -> ErrorList {
        self.report
            .map(|report| report.failures)
            .unwrap_or_default()
            .into_iter()
            .map(|failure| failure.into_error(base))
            .collect()
    }
}

/// How an allowed value is listed: strings verbatim, all else as JSON.
pub(super) fn listed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => json::to_go_string(value),
    }
}
