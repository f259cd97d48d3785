//! Collects validation errors, each message once.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem;
use std::sync::Arc;

use serde_json::Value;

use super::location::Location;
use crate::compiled::EnumerationTexts;
use crate::field::{BadValue, Error, ErrorKind, ErrorKinds, Path, Sink};

/// The collector of a walk.
///
/// The walk is generic over three collectors: [`Validity`] only decides whether a value is valid, [`Collector`]
/// collects errors, and [`CountingCollector`] also counts matches, for a value that is validated against several
/// schemas.
pub(super) trait Collect: Sized {
    /// The collector that also counts matches, for the schemas of a failed junctor: the errors of the schema that
    /// matches best are reported.
    type Counting: Collect<Counting = Self::Counting>;

    /// Whether the order of errors matters.
    const ORDERED: bool;

    /// Whether matches are counted.
    const COUNTED: bool;

    /// Returns an empty collector of the same type and budget.
    fn another(&self) -> Self;

    /// Returns an empty collector for a schema of a failed junctor.
    fn counting(&self) -> Self::Counting;

    /// Returns whether nothing has failed.
    fn is_valid(&self) -> bool;

    /// Returns whether the rest of the value cannot change the result.
    fn is_decided(&self) -> bool;

    /// Adds an error of a kind; it is created only if it is kept.
    fn fail(&mut self, kind: ErrorKind, failure: impl FnOnce() -> ValidationFailure);

    /// Counts a match.
    fn count(&mut self);

    /// Returns the number of matches. Of two failed schemas, the better match is the one with more of them.
    fn matched(&self) -> u64;

    /// Adds the errors and matches of another collector.
    fn merge(&mut self, other: Self);

    /// Adds the errors of the schema that matches best.
    fn merge_counting(&mut self, best: Self::Counting);

    /// Drops errors, and keeps matches.
    fn ratchet(&mut self);
}

/// Decides whether a value is valid.
#[derive(Debug, Default)]
#[must_use]
pub(super) struct Validity {
    failed: bool,
}

impl Collect for Validity {
    type Counting = Self;
    const ORDERED: bool = false;
    const COUNTED: bool = false;

    #[inline]
    fn another(&self) -> Self {
        Self::default()
    }

    #[inline]
    fn counting(&self) -> Self {
        Self::default()
    }

    #[inline]
    fn is_valid(&self) -> bool {
        !self.failed
    }

    #[inline]
    fn is_decided(&self) -> bool {
        self.failed
    }

    #[inline]
    fn fail(&mut self, _: ErrorKind, _: impl FnOnce() -> ValidationFailure) {
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
    fn merge_counting(&mut self, best: Self) {
        self.merge(best);
    }

    #[inline]
    fn ratchet(&mut self) {
        self.failed = false;
    }
}

/// The remaining budget of errors, in bytes.
#[derive(Debug)]
pub(super) struct Budget {
    /// For errors that are kept.
    kept: Cell<usize>,
    /// For errors that are created, including those dropped by ratcheting or because another schema matches better.
    made: Cell<usize>,
}

/// How many times larger the budget of created errors is than that of kept ones.
const MADE_PER_KEPT: usize = 8;

impl Budget {
    pub(super) fn of(errors: &Sink) -> Self {
        let left = errors.bytes_left();
        Self { kept: Cell::new(left), made: Cell::new(left.saturating_mul(MADE_PER_KEPT)) }
    }

    fn is_used_up(&self) -> bool {
        self.kept.get() == 0 || self.made.get() == 0
    }

    fn take(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_sub(bytes));
        self.made.set(self.made.get().saturating_sub(bytes));
    }

    fn give_back(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_add(bytes));
    }
}

/// Collects errors in the order in which they were found, each message once.
///
/// Source: `pkg/validation/validate/result.go`, `Result.AddErrors`.
#[derive(Debug)]
#[must_use]
pub(super) struct Collector<'b> {
    budget: &'b Budget,
    failures: Vec<ValidationFailure>,
    /// The errors by a hash of their message, once there are more than [`COMPARED`].
    by_message: Option<HashMap<u64, usize>>,
    /// The number and kinds of errors that are not kept. Among these, duplicate messages are not detected.
    omitted: usize,
    omitted_kinds: ErrorKinds,
}

/// Collects errors and counts matches.
#[derive(Debug)]
#[must_use]
pub(super) struct CountingCollector<'b> {
    matched: u64,
    collector: Collector<'b>,
}

/// Checks how many items or properties there are; `what` names them in messages.
pub(super) fn check_count<R: Collect>(
    count: usize,
    min: Option<i64>,
    max: Option<i64>,
    what: &str,
    at: &Location<'_>,
    record: &mut R,
) {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    if let Some(min) = min
        && count < min
    {
        record.fail(ErrorKind::Invalid, || {
            let text = format_args!("should have at least {min} {what}");
            ValidationFailure::at(at, text, FailureKind::Invalid(count.into()))
        });
    }
    if let Some(max) = max
        && count > max
    {
        record.fail(ErrorKind::TooMany, || {
            let text = format_args!("should have at most {max} {what}");
            ValidationFailure::at(at, text, FailureKind::TooMany(count, max))
        });
    }
}

/// The largest number of errors that are compared pairwise.
const COMPARED: usize = 16;

/// A validation error. Its message is joined only if the field error shows it, or if another message may be the same.
#[derive(Debug)]
pub(super) struct ValidationFailure {
    /// The rendered path.
    name: String,
    text: Text,
    kind: FailureKind,
}

/// The text of a message.
#[derive(Debug)]
pub(super) enum Text {
    /// What follows the path and `in body`.
    Fixed(&'static str),
    /// As [`Text::Fixed`], for a value outside of an enumeration.
    Supported(Arc<EnumerationTexts>),
    /// The whole message.
    Whole(String),
}

/// The kind of an error, with the values that the field error needs.
#[derive(Debug)]
pub(super) enum FailureKind {
    Required,
    /// The value. The text is [`Text::Supported`].
    Enum(BadValue),
    /// The largest number of code points.
    TooLong(i64),
    /// The count, and the largest allowed one.
    TooMany(i64, i64),
    /// The wrong type, or the text with the wrong format.
    Type(String),
    Invalid(BadValue),
    /// Without a path of its own: the error is reported where validation began.
    WithoutPath,
}

impl Text {
    fn as_str(&self) -> &str {
        match self {
            Self::Fixed(text) => text,
            Self::Whole(text) => text,
            Self::Supported(texts) => &texts.message,
        }
    }

    const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }

    /// What errors say of the members, if the text is about an enumeration.
    fn detail(&self) -> &str {
        match self {
            Self::Supported(texts) => &texts.detail,
            Self::Fixed(_) | Self::Whole(_) => "",
        }
    }
}

/// Separates the path of a message from its text.
const IN_BODY: &str = " in body ";

/// About how many bytes of a message follow the path.
const ABOUT_TEXT: usize = 64;

impl ValidationFailure {
    /// The size of the error, in bytes.
    fn bytes(&self) -> usize {
        let shown = |value: &BadValue| match value {
            BadValue::Json(text) | BadValue::Value(Value::String(text)) => text.len(),
            BadValue::Omitted | BadValue::Value(_) => 0,
        };
        let kind = match &self.kind {
            FailureKind::Enum(value) => shown(value) + self.text.detail().len(),
            FailureKind::Type(actual) => actual.len(),
            FailureKind::Invalid(value) => shown(value),
            FailureKind::Required
            | FailureKind::TooLong(_)
            | FailureKind::TooMany(..)
            | FailureKind::WithoutPath => 0,
        };
        size_of::<Self>() + self.name.len() + self.message_len() + kind
    }

    /// Creates an error. `message` contains the path, which the caller has rendered.
    pub(super) fn new(name: String, message: String, kind: FailureKind) -> Self {
        Self { name, text: Text::Whole(message), kind }
    }

    /// Creates an error whose message is the path, `in body`, and a text.
    pub(super) fn at(at: &Location<'_>, text: fmt::Arguments<'_>, kind: FailureKind) -> Self {
        let name = at.render();
        let text = text.as_str().map_or_else(
            || {
                let mut message = String::with_capacity(name.len() + ABOUT_TEXT);
                message.push_str(&name);
                message.push_str(IN_BODY);
                let _ = message.write_fmt(text);
                Text::Whole(message)
            },
            Text::Fixed,
        );
        Self { name, text, kind }
    }

    /// Creates the error of a value outside of an enumeration.
    pub(super) fn not_supported(
        at: &Location<'_>,
        value: BadValue,
        texts: Arc<EnumerationTexts>,
    ) -> Self {
        Self { name: at.render(), text: Text::Supported(texts), kind: FailureKind::Enum(value) }
    }

    /// Creates an error without a path of its own.
    pub(super) fn without_path(message: String) -> Self {
        Self::new(String::new(), message, FailureKind::WithoutPath)
    }

    fn message_len(&self) -> usize {
        let text = self.text.as_str().len();
        if self.text.is_whole() { text } else { self.name.len() + IN_BODY.len() + text }
    }

    fn message(&self) -> Cow<'_, str> {
        match &self.text {
            Text::Whole(message) => message.into(),
            text => [&self.name, IN_BODY, text.as_str()].concat().into(),
        }
    }

    /// Returns whether both have the same message.
    fn says_as(&self, other: &Self) -> bool {
        if self.message_len() != other.message_len() {
            return false;
        }
        let splits_alike =
            !self.text.is_whole() && !other.text.is_whole() && self.name.len() == other.name.len();
        if splits_alike {
            return self.name == other.name && self.text.as_str() == other.text.as_str();
        }
        self.message() == other.message()
    }

    /// Converts to a field error, whose path is below `base`.
    ///
    /// Source: `pkg/apiserver/validation/validation.go`, `kubeOpenAPIResultToFieldErrors`.
    fn into_error(self, base: &Path<'_>) -> Error {
        let Self { name, text, kind } = self;
        let message = |name: &str, text: Text| match text {
            Text::Whole(message) => message,
            text => [name, IN_BODY, text.as_str()].concat(),
        };
        let mut error = match kind {
            FailureKind::Required => Error::required(base, ""),
            FailureKind::Enum(value) => Error::not_supported_of(base, value, text.detail()),
            FailureKind::TooLong(limit) => Error::too_long(base, limit),
            FailureKind::TooMany(count, limit) => Error::too_many(base, count, limit),
            FailureKind::Type(actual) => Error::type_invalid(base, actual, message(&name, text)),
            FailureKind::Invalid(value) => Error::invalid(base, value, message(&name, text)),
            FailureKind::WithoutPath => Error::invalid(base, "", message(&name, text)),
        };
        let below = match name.strip_prefix('.') {
            Some(below) => below.to_owned(),
            None => name,
        };
        match &*below {
            "" => {}
            _ if base.is_root() => error.field = below,
            below => error.field = base.field(below).to_string(),
        }
        error
    }
}

impl<'b> Collector<'b> {
    #[inline]
    pub(super) fn new(budget: &'b Budget) -> Self {
        let omitted_kinds = ErrorKinds::default();
        Self { budget, failures: Vec::new(), by_message: None, omitted: 0, omitted_kinds }
    }

    /// Adds an error if its message is new, and otherwise returns its bytes to the budget.
    fn push(&mut self, failure: ValidationFailure) {
        let bytes = failure.bytes();
        if !self.push_new(failure) {
            self.budget.give_back(bytes);
        }
    }

    fn push_new(&mut self, failure: ValidationFailure) -> bool {
        let next = self.failures.len();
        if next < COMPARED {
            let is_new = self.failures.iter().all(|known| !known.says_as(&failure));
            if is_new {
                self.failures.push(failure);
            }
            return is_new;
        }
        let by_message = self
            .by_message
            .get_or_insert_with(|| self.failures.iter().map(hash_of).zip(0..).collect());
        let first = *by_message.entry(hash_of(&failure)).or_insert(next);
        // Messages with the same hash are compared, so that no error is lost.
        let is_new = self.failures.get(first).is_none_or(|known| !known.says_as(&failure));
        if is_new {
            self.failures.push(failure);
        }
        is_new
    }

    pub(super) fn into_errors(mut self, base: &Path<'_>, errors: &mut Sink) {
        for failure in mem::take(&mut self.failures) {
            errors.push(failure.into_error(base).on(errors.kubernetes()));
        }
        errors.count(self.omitted, self.omitted_kinds);
    }
}

/// Dropping a collector returns its bytes to the budget, because its errors were not kept.
impl Drop for Collector<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.failures.is_empty() {
            self.budget.give_back(self.failures.iter().map(ValidationFailure::bytes).sum());
        }
    }
}

fn hash_of(failure: &ValidationFailure) -> u64 {
    let mut hasher = DefaultHasher::new();
    failure.message().hash(&mut hasher);
    hasher.finish()
}

impl<'b> Collect for Collector<'b> {
    type Counting = CountingCollector<'b>;
    const ORDERED: bool = true;
    const COUNTED: bool = false;

    #[inline]
    fn another(&self) -> Self {
        Self::new(self.budget)
    }

    #[inline]
    fn counting(&self) -> CountingCollector<'b> {
        CountingCollector { matched: 0, collector: self.another() }
    }

    #[inline]
    fn is_valid(&self) -> bool {
        self.failures.is_empty() && self.omitted == 0
    }

    #[inline]
    fn is_decided(&self) -> bool {
        false
    }

    #[cold]
    fn fail(&mut self, kind: ErrorKind, failure: impl FnOnce() -> ValidationFailure) {
        if self.budget.is_used_up() {
            self.omitted += 1;
            self.omitted_kinds.add(kind);
            return;
        }
        let failure = failure();
        self.budget.take(failure.bytes());
        self.push(failure);
    }

    #[inline]
    fn count(&mut self) {}

    #[inline]
    fn matched(&self) -> u64 {
        0
    }

    #[inline]
    fn merge(&mut self, mut other: Self) {
        if other.is_valid() {
            return;
        }
        if self.is_valid() {
            *self = other;
            return;
        }
        self.omitted += other.omitted;
        self.omitted_kinds.merge(other.omitted_kinds);
        for failure in mem::take(&mut other.failures) {
            self.push(failure);
        }
    }

    fn merge_counting(&mut self, best: CountingCollector<'b>) {
        self.merge(best.collector);
    }

    fn ratchet(&mut self) {
        *self = self.another();
    }
}

impl Collect for CountingCollector<'_> {
    type Counting = Self;
    const ORDERED: bool = true;
    const COUNTED: bool = true;

    fn another(&self) -> Self {
        Self { matched: 0, collector: self.collector.another() }
    }

    fn counting(&self) -> Self {
        self.another()
    }

    fn is_valid(&self) -> bool {
        self.collector.is_valid()
    }

    fn is_decided(&self) -> bool {
        false
    }

    fn fail(&mut self, kind: ErrorKind, failure: impl FnOnce() -> ValidationFailure) {
        self.collector.fail(kind, failure);
    }

    fn count(&mut self) {
        self.matched += 1;
    }

    fn matched(&self) -> u64 {
        self.matched
    }

    fn merge(&mut self, other: Self) {
        self.matched += other.matched;
        self.collector.merge(other.collector);
    }

    fn merge_counting(&mut self, best: Self) {
        self.merge(best);
    }

    fn ratchet(&mut self) {
        self.collector.ratchet();
    }
}
