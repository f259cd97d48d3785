//! The collector of errors, unknown fields and warnings, each up to a budget of bytes.
//!
//! A body of a megabyte can have a million errors, each with a path of a megabyte. Errors beyond the budget are only
//! counted: their paths are not rendered, and their values are not copied.

use std::fmt;

use serde_json::Value;

use crd_cel::kubernetes::KubernetesVersion;

use super::{BadValue, Error, ErrorKind, ErrorList, Path};
use crate::differences::Difference;
use crate::json;

/// The budget for the errors of an answer, in bytes: their paths, values and texts, and the size of [`Error`] itself.
///
/// Divergence: the server has no limit. A request of 3 MiB, the largest, can make it answer with gigabytes.
pub const MAX_ERROR_BYTES: usize = 4 * 1024 * 1024;

/// The budget for the unknown fields of an answer, in bytes. Each path counts once, although a warning or an error
/// repeats it.
pub const MAX_UNKNOWN_FIELD_BYTES: usize = 4 * 1024 * 1024;

/// The budget for the other warnings of an answer, in bytes.
///
/// If the warnings exceed 4,096 characters in total, the server truncates each to 256 characters
/// (`k8s.io/apiserver/pkg/endpoints/filters/warning.go`); here they are not truncated.
pub const MAX_WARNING_BYTES: usize = 1024 * 1024;

/// A collector of errors, unknown fields and warnings.
///
/// The methods that add an error render its value and text only if the error is kept.
#[derive(Debug)]
pub struct Sink {
    errors: BoundedList<Error>,
    unknown: BoundedList<String>,
    warnings: BoundedList<String>,
    kinds: ErrorKinds,
    kubernetes: KubernetesVersion,
}

impl Default for Sink {
    fn default() -> Self {
        Self::new()
    }
}

impl Sink {
    /// Creates a sink with the whole budget and the error texts of the reference version.
    #[inline]
    pub const fn new() -> Self {
        Self::of(KubernetesVersion::REFERENCE)
    }

    /// Creates a sink with the whole budget and the error texts of a Kubernetes version.
    #[inline]
    pub const fn of(kubernetes: KubernetesVersion) -> Self {
        Self::with(MAX_ERROR_BYTES, MAX_UNKNOWN_FIELD_BYTES, MAX_WARNING_BYTES, kubernetes)
    }

    /// Creates a sink that only counts.
    pub const fn counting() -> Self {
        Self::with(0, 0, 0, KubernetesVersion::REFERENCE)
    }

    /// Returns the Kubernetes version whose error texts are used.
    #[inline]
    pub const fn kubernetes(&self) -> KubernetesVersion {
        self.kubernetes
    }

    /// Returns whether the server of this Kubernetes version has the behaviour `difference`.
    #[inline]
    pub const fn server_has(&self, difference: Difference) -> bool {
        difference.is_in(self.kubernetes)
    }

    /// Creates an empty sink with the remaining budget of this one, for errors that may be discarded. To keep them,
    /// pass it to [`Sink::append`].
    #[must_use]
    pub const fn below(&self) -> Self {
        Self::with(self.errors.left, self.unknown.left, self.warnings.left, self.kubernetes)
    }

    const fn with(
        errors: usize,
        unknown: usize,
        warnings: usize,
        kubernetes: KubernetesVersion,
    ) -> Self {
        Self {
            errors: BoundedList::new(errors),
            unknown: BoundedList::new(unknown),
            warnings: BoundedList::new(warnings),
            kinds: ErrorKinds(0),
            kubernetes,
        }
    }

    /// Adds the errors, unknown fields and warnings of another sink.
    pub fn append(&mut self, other: Self) {
        self.errors.append(other.errors, bytes_of);
        self.unknown.append(other.unknown, |text| bytes_of_text(text));
        self.warnings.append(other.warnings, |text| bytes_of_text(text));
        self.kinds.0 |= other.kinds.0;
    }

    /// Adds an error of a kind. `error` is called only if the error is kept.
    pub fn add(&mut self, kind: ErrorKind, error: impl FnOnce() -> Error) {
        self.kinds.add(kind);
        self.errors.add(error, bytes_of);
    }

    /// Adds an existing error.
    pub fn push(&mut self, error: Error) {
        self.add(error.kind, || error);
    }

    /// Adds an unknown field.
    pub fn unknown_field(&mut self, path: impl FnOnce() -> String) {
        self.unknown.add(path, |text| bytes_of_text(text));
    }

    /// Adds a warning.
    pub fn warning(&mut self, text: impl FnOnce() -> String) {
        self.warnings.add(text, |text| bytes_of_text(text));
    }

    /// Returns whether there are no errors.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of errors, including those that are only counted.
    #[inline]
    pub const fn len(&self) -> usize {
        self.errors.items.len() + self.errors.omitted
    }

    /// Returns whether there is an error of one of these kinds.
    pub fn has_any(&self, kinds: &[ErrorKind]) -> bool {
        kinds.iter().any(|kind| self.kinds.contains(*kind))
    }

    /// Returns the remaining budget for errors, in bytes.
    #[inline]
    pub const fn bytes_left(&self) -> usize {
        self.errors.left
    }

    /// Counts errors of these kinds that the caller has left out.
    pub fn count(&mut self, errors: usize, kinds: ErrorKinds) {
        self.errors.omitted += errors;
        self.kinds.0 |= kinds.0;
    }

    /// Sorts the kept errors by their text, bytewise.
    pub fn sort_errors(&mut self) {
        self.errors.items.sort_by_cached_key(ToString::to_string);
    }

    /// Returns the unknown fields that are kept so far.
    pub fn unknown_fields(&mut self) -> &mut Vec<String> {
        &mut self.unknown.items
    }

    /// Returns the number of unknown fields that are only counted.
    pub const fn omitted_unknown_fields(&self) -> usize {
        self.unknown.omitted
    }

    /// Returns the errors. If some are only counted, the last error gives their number.
    pub fn into_errors(self) -> ErrorList {
        self.into_parts().errors
    }

    /// Returns the errors, unknown fields and warnings.
    #[inline]
    pub fn into_parts(mut self) -> SinkContents {
        // PERF: in most sinks, everything is kept.
        if self.errors.omitted > 0 || self.warnings.omitted > 0 {
            self.report_omitted();
        }
        let Self { errors, unknown, warnings, kinds: _, kubernetes: _ } = self;
        SinkContents {
            errors: ErrorList::of(errors.items),
            unknown_fields: unknown.items,
            warnings: warnings.items,
        }
    }

    #[cold]
    #[inline(never)]
    fn report_omitted(&mut self) {
        let Self { errors, warnings, .. } = self;
        if errors.omitted > 0 {
            let text = format!("{} not listed", more(errors.omitted, "error is", "errors are"));
            errors.items.push(Error::invalid(&Path::ROOT, BadValue::Omitted, text));
        }
        if warnings.omitted > 0 {
            let more = more(warnings.omitted, "warning is", "warnings are");
            warnings.items.push(format!("{more} not listed"));
        }
    }

    /// Adds the error `Required value`.
    pub fn required(&mut self, path: &Path<'_>, detail: impl fmt::Display) {
        self.add(ErrorKind::Required, || Error::required(path, detail.to_string()));
    }

    /// Adds the error `Invalid value`.
    pub fn invalid<'v>(
        &mut self,
        path: &Path<'_>,
        value: impl Into<Shown<'v>>,
        detail: impl fmt::Display,
    ) {
        let kubernetes = self.kubernetes;
        let error =
            || Error::invalid(path, value.into().into_bad_value(kubernetes), detail.to_string());
        self.add(ErrorKind::Invalid, error);
    }

    /// Adds the error `Unsupported value`, which lists the supported values in the given order.
    pub fn not_supported<'v, S: AsRef<str>>(
        &mut self,
        path: &Path<'_>,
        value: impl Into<Shown<'v>>,
        supported: impl IntoIterator<Item = S>,
    ) {
        let kubernetes = self.kubernetes;
        let error =
            || Error::not_supported(path, value.into().into_bad_value(kubernetes), supported);
        self.add(ErrorKind::NotSupported, error);
    }

    /// Adds the error `Forbidden`.
    pub fn forbidden(&mut self, path: &Path<'_>, detail: impl fmt::Display) {
        self.add(ErrorKind::Forbidden, || Error::forbidden(path, detail.to_string()));
    }

    /// Adds the error `Duplicate value`.
    pub fn duplicate<'v>(&mut self, path: &Path<'_>, value: impl Into<Shown<'v>>) {
        let kubernetes = self.kubernetes;
        self.add(ErrorKind::Duplicate, || {
            Error::duplicate(path, value.into().into_bad_value(kubernetes))
        });
    }

    /// Adds the error `Too long`, with the text that it has for metadata.
    ///
    /// Source: `TooLong` in `pkg/util/validation/field/errors.go` of apimachinery.
    pub fn too_long(&mut self, path: &Path<'_>, limit: i64) {
        let kubernetes = self.kubernetes;
        self.add(ErrorKind::TooLong, || {
            let mut error = Error::too_long(path, limit).on(kubernetes);
            if !Difference::LimitsInBytes.is_in(kubernetes) {
                error.detail = format!("must have at most {limit} bytes");
            }
            error
        });
    }

    /// Adds the error `Too many`. A negative count or limit is not printed.
    pub fn too_many(&mut self, path: &Path<'_>, actual: i64, limit: i64) {
        let kubernetes = self.kubernetes;
        self.add(ErrorKind::TooMany, || Error::too_many(path, actual, limit).on(kubernetes));
    }

    /// Adds the error `Internal error`.
    pub fn internal(&mut self, path: &Path<'_>, detail: impl fmt::Display) {
        self.add(ErrorKind::Internal, || Error::internal(path, detail.to_string()));
    }
}

/// Returns the number of omitted items as text, such as `3 more errors are`.
pub fn more(count: usize, one: &str, many: &str) -> String {
    format!("{count} more {}", if count == 1 { one } else { many })
}

/// The content of a [`Sink`].
#[derive(Debug)]
pub struct SinkContents {
    /// If some errors are only counted, the last one gives their number; the same applies to `warnings`.
    pub errors: ErrorList,
    /// The paths of unknown fields.
    pub unknown_fields: Vec<String>,
    /// The texts of warnings.
    pub warnings: Vec<String>,
}

/// The value of an error. It is converted to a [`BadValue`] only if the error is kept.
#[expect(missing_debug_implementations, reason = "one variant is a function")]
pub enum Shown<'v> {
    /// A text.
    Text(&'v str),
    /// A text whose Go type is not `string`.
    TypedText(&'v str),
    /// A list whose Go type is `[]string`.
    Texts(&'v [String]),
    /// A JSON value. Lists and objects are kept as text, which takes less memory than a tree.
    Json(&'v Value),
    /// A function that creates the value.
    Make(&'v dyn Fn(KubernetesVersion) -> BadValue),
    /// A value that has already been created.
    Made(BadValue),
}

impl Shown<'_> {
    fn into_bad_value(self, kubernetes: KubernetesVersion) -> BadValue {
        let as_json = Difference::ValuesAsJson.is_in(kubernetes);
        match self {
            Self::TypedText(text) if as_json => BadValue::Json(json::to_go_string(&text.into())),
            Self::Text(text) | Self::TypedText(text) => text.into(),
            Self::Texts(texts) if as_json => BadValue::Json(json::to_go_string(&texts.into())),
            Self::Texts(texts) => {
                BadValue::Json(json::strings_to_go_syntax(texts.iter().map(String::as_str)))
            }
            Self::Json(value) => BadValue::of(value, kubernetes),
            Self::Make(make) => make(kubernetes),
            Self::Made(value) => value,
        }
    }
}

impl<'v> From<&'v str> for Shown<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(text)
    }
}

impl<'v> From<&'v Value> for Shown<'v> {
    fn from(value: &'v Value) -> Self {
        Self::Json(value)
    }
}

impl From<BadValue> for Shown<'_> {
    fn from(value: BadValue) -> Self {
        Self::Made(value)
    }
}

impl From<bool> for Shown<'_> {
    fn from(value: bool) -> Self {
        Self::Made(value.into())
    }
}

impl From<i64> for Shown<'_> {
    fn from(value: i64) -> Self {
        Self::Made(value.into())
    }
}

/// A set of kinds of errors.
#[derive(Debug, Clone, Copy, Default)]
pub struct ErrorKinds(u16);

impl ErrorKinds {
    /// Adds a kind.
    #[inline]
    pub const fn add(&mut self, kind: ErrorKind) {
        self.0 |= 1 << kind as u16;
    }

    /// Adds the kinds of another set.
    #[inline]
    pub const fn merge(&mut self, other: Self) {
        self.0 |= other.0;
    }

    const fn contains(self, kind: ErrorKind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

/// Items of one sort, kept up to a budget.
#[derive(Debug)]
struct BoundedList<T> {
    items: Vec<T>,
    /// The remaining budget, in bytes. The item that exceeds it is still kept.
    left: usize,
    omitted: usize,
}

impl<T> BoundedList<T> {
    const fn new(left: usize) -> Self {
        Self { items: Vec::new(), left, omitted: 0 }
    }

    fn add(&mut self, item: impl FnOnce() -> T, bytes: impl FnOnce(&T) -> usize) {
        if self.left == 0 {
            self.omitted += 1;
            return;
        }
        let item = item();
        self.left = self.left.saturating_sub(bytes(&item));
        self.items.push(item);
    }

    fn append(&mut self, other: Self, bytes: impl Fn(&T) -> usize) {
        for item in other.items {
            self.add(|| item, &bytes);
        }
        self.omitted += other.omitted;
    }
}

fn bytes_of_text(text: &str) -> usize {
    size_of::<String>() + text.len()
}

/// Returns the bytes of memory that an error takes.
fn bytes_of(error: &Error) -> usize {
    let value = match &error.bad_value {
        BadValue::Json(text) | BadValue::Value(Value::String(text)) => text.len(),
        BadValue::Omitted | BadValue::Value(_) => 0,
    };
    size_of::<Error>() + error.field.len() + value + error.detail.len()
}

impl Error {
    /// Changes the text of a schema's error to that of a Kubernetes version.
    ///
    /// Source: `TooLong`, `TooLongMaxLength` and `TooMany` in `pkg/util/validation/field/errors.go` of apimachinery.
    #[must_use]
    pub fn on(mut self, kubernetes: KubernetesVersion) -> Self {
        match self.kind {
            ErrorKind::TooLong if !Difference::LimitsInBytes.is_in(kubernetes) => {
                let limit = self.detail.strip_prefix("may not be more than ");
                if let Some((limit, _)) = limit.and_then(|text| text.split_once(' ')) {
                    self.detail = format!("may not be longer than {limit}");
                }
            }
            ErrorKind::TooLong | ErrorKind::TooMany
                if !Difference::OneIsSingular.is_in(kubernetes)
                    && (self.detail.ends_with(" 1 byte") || self.detail.ends_with(" 1 item")) =>
            {
                self.detail.push('s');
            }
            _ => {}
        }
        self
    }
}

impl BadValue {
    /// Converts a value as the server of a Kubernetes version shows it.
    ///
    /// Source: `ErrorBody` in `pkg/util/validation/field/errors.go` of apimachinery.
    pub fn of(value: &Value, kubernetes: KubernetesVersion) -> Self {
        let as_json = Difference::ValuesAsJson.is_in(kubernetes);
        match value {
            Value::Array(_) | Value::Object(_) if as_json => Self::Json(json::to_go_string(value)),
            Value::Array(_) | Value::Object(_) => Self::Json(json::to_go_syntax(value)),
            // Upstream: before 1.34, `null` was shown as the quoted string `"null"`.
            Value::Null if !as_json => Self::Value("null".into()),
            scalar => Self::Value(scalar.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_kept_up_to_the_budget() {
        let mut sink = Sink::new();
        let long = "k".repeat(MAX_ERROR_BYTES / 4);
        let at = Path::new(&long);
        for index in 0..10 {
            sink.invalid(&at.index(index), "v", "no");
        }
        assert_eq!(sink.len(), 10);
        let errors = sink.into_errors();
        assert_eq!(errors.len(), 5);
        let last = errors.iter().last().map(ToString::to_string).unwrap_or_default();
        assert_eq!(last, "<nil>: Invalid value: 6 more errors are not listed");
    }

    #[test]
    fn items_beyond_the_budget_are_not_created() {
        let mut sink = Sink::counting();
        sink.add(ErrorKind::Required, || unreachable!());
        sink.unknown_field(|| unreachable!());
        sink.warning(|| unreachable!());
        assert!(sink.has_any(&[ErrorKind::Required, ErrorKind::TooMany]));
        assert!(!sink.has_any(&[ErrorKind::TooMany]));
        assert_eq!(sink.omitted_unknown_fields(), 1);
        let found = sink.into_parts();
        assert_eq!(found.errors.to_string(), "<nil>: Invalid value: 1 more error is not listed");
        assert_eq!(found.warnings, ["1 more warning is not listed"]);
    }

    #[test]
    fn an_appended_sink_counts_against_the_budget_of_the_other() {
        let mut sink = Sink::new();
        let long = "k".repeat(MAX_ERROR_BYTES);
        let mut below = sink.below();
        below.required(&Path::new(&long), "");
        below.required(&Path::new(&long), "");
        sink.append(below);
        assert_eq!((sink.len(), sink.bytes_left()), (2, 0));
        assert_eq!(sink.into_errors().len(), 2);
    }
}
