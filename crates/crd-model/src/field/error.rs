//! Errors of fields, and lists of such errors.

use std::collections::HashSet;
use std::fmt;

use crd_cel::gofmt;
use serde_json::Value;

use super::Path;
use crate::json;

/// The kind of an error: Go's `field.ErrorType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value that should exist does not.
    NotFound,
    /// A required value is missing.
    Required,
    /// A value that must be unique occurs more than once.
    Duplicate,
    /// A malformed value.
    Invalid,
    /// A value outside an enumeration.
    NotSupported,
    /// A value that other conditions forbid.
    Forbidden,
    /// A value that is too long.
    TooLong,
    /// Too many items or properties.
    TooMany,
    /// Too few items.
    TooFew,
    /// Not caused by the input.
    Internal,
    /// A value of the wrong type; prints as [`ErrorKind::Invalid`].
    TypeInvalid,
    /// A value that is too short.
    TooShort,
}

impl ErrorKind {
    /// The kinds in the order of the enum, with their reasons and texts.
    const ROWS: [(Self, &'static str, &'static str); 12] = [
        (Self::NotFound, "FieldValueNotFound", "Not found"),
        (Self::Required, "FieldValueRequired", "Required value"),
        (Self::Duplicate, "FieldValueDuplicate", "Duplicate value"),
        (Self::Invalid, "FieldValueInvalid", "Invalid value"),
        (Self::NotSupported, "FieldValueNotSupported", "Unsupported value"),
        (Self::Forbidden, "FieldValueForbidden", "Forbidden"),
        (Self::TooLong, "FieldValueTooLong", "Too long"),
        (Self::TooMany, "FieldValueTooMany", "Too many"),
        (Self::TooFew, "FieldValueTooFew", "Too few"),
        (Self::Internal, "InternalError", "Internal error"),
        (Self::TypeInvalid, "FieldValueTypeInvalid", "Invalid value"),
        (Self::TooShort, "FieldValueTooShort", "Too short"),
    ];

    /// Returns the machine-readable reason, such as `FieldValueInvalid`.
    pub const fn as_reason(self) -> &'static str {
        Self::ROWS[self as usize].1
    }

    const fn as_text(self) -> &'static str {
        Self::ROWS[self as usize].2
    }

    /// Returns the kind with a reason, such as `FieldValueInvalid`.
    pub fn from_reason(reason: &str) -> Option<Self> {
        Self::ROWS.iter().find(|(_, found, _)| *found == reason).map(|(kind, ..)| *kind)
    }

    /// Returns whether an error of this kind shows the value.
    pub const fn prints_value(self) -> bool {
        !matches!(
            self,
            Self::Required | Self::Forbidden | Self::TooLong | Self::TooShort | Self::Internal
        )
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_text())
    }
}

/// The text that replaces an address in the server's memory, which cannot be reproduced.
pub const ADDRESS: &str = "0xc000000000";

/// The invalid value that an error shows, if it shows one.
#[derive(Debug, Clone, PartialEq)]
pub enum BadValue {
    /// No value is shown.
    Omitted,
    /// A JSON value: strings print quoted, numbers as Go's `%v`, the rest as Go's compact JSON.
    Value(Value),
    /// Text that prints unchanged: lists, objects and Go structs as JSON or, before Kubernetes 1.34, in Go's syntax.
    Json(String),
}

impl<T: Into<Value>> From<T> for BadValue {
    fn from(value: T) -> Self {
        Self::Value(value.into())
    }
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Omitted => Ok(()),
            Self::Json(text) => f.write_str(text),
            Self::Value(Value::String(text)) => f.write_str(&gofmt::quote(text)),
            Self::Value(Value::Number(n)) => match (n.as_i64(), n.as_f64()) {
                (Some(int), _) => write!(f, "{int}"),
                (None, Some(float)) => f.write_str(&gofmt::float_v(float)),
                (None, None) => write!(f, "{n}"),
            },
            Self::Value(value) => f.write_str(&json::to_go_string(value)),
        }
    }
}

/// An error of a field: Go's `field.Error`.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The rendered path.
    pub field: String,
    /// The invalid value.
    pub bad_value: BadValue,
    /// The reason or the requirement, such as `must be positive`; may be empty.
    pub detail: String,
}

impl Error {
    fn new(
        kind: ErrorKind,
        path: &Path<'_>,
        bad_value: BadValue,
        detail: impl Into<String>,
    ) -> Self {
        Self { kind, field: path.render(), bad_value, detail: detail.into() }
    }

    /// Creates the error `Required value`.
    pub fn required(path: &Path<'_>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Required, path, "".into(), detail)
    }

    /// Creates the error `Invalid value`.
    pub fn invalid(path: &Path<'_>, value: impl Into<BadValue>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, path, value.into(), detail)
    }

    /// Creates the error `Invalid value` for a value of the wrong type.
    pub fn type_invalid(
        path: &Path<'_>,
        value: impl Into<BadValue>,
        detail: impl Into<String>,
    ) -> Self {
        Self::new(ErrorKind::TypeInvalid, path, value.into(), detail)
    }

    /// Creates the error `Unsupported value`, which lists the supported values in the given order.
    pub fn not_supported<S: AsRef<str>>(
        path: &Path<'_>,
        value: impl Into<BadValue>,
        supported: impl IntoIterator<Item = S>,
    ) -> Self {
        Self::not_supported_of(path, value, supported_values(supported))
    }

    /// Creates the error `Unsupported value` with what [`supported_values`] has returned.
    #[doc(hidden)]
    pub fn not_supported_of(
        path: &Path<'_>,
        value: impl Into<BadValue>,
        supported: impl Into<String>,
    ) -> Self {
        Self::new(ErrorKind::NotSupported, path, value.into(), supported)
    }

    /// Creates the error `Forbidden`.
    pub fn forbidden(path: &Path<'_>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Forbidden, path, "".into(), detail)
    }

    /// Creates the error `Duplicate value`.
    pub fn duplicate(path: &Path<'_>, value: impl Into<BadValue>) -> Self {
        Self::new(ErrorKind::Duplicate, path, value.into(), "")
    }

    /// Creates the error `Not found`.
    pub fn not_found(path: &Path<'_>, value: impl Into<BadValue>) -> Self {
        Self::new(ErrorKind::NotFound, path, value.into(), "")
    }

    /// Creates the error `Too long`. A negative limit is not printed.
    ///
    /// The text says bytes, even if the limit is a number of characters.
    pub fn too_long(path: &Path<'_>, limit: i64) -> Self {
        let detail = match limit {
            1 => "may not be more than 1 byte".to_owned(),
            0.. => format!("may not be more than {limit} bytes"),
            _ => "value is too long".to_owned(),
        };
        Self::new(ErrorKind::TooLong, path, "<value omitted>".into(), detail)
    }

    /// Creates the error `Too many`. A negative count or limit is not printed.
    pub fn too_many(path: &Path<'_>, actual: i64, limit: i64) -> Self {
        let detail = match limit {
            1 => "must have at most 1 item".to_owned(),
            0.. => format!("must have at most {limit} items"),
            _ => "has too many items".to_owned(),
        };
        let value = if actual < 0 { BadValue::Omitted } else { actual.into() };
        Self::new(ErrorKind::TooMany, path, value, detail)
    }

    /// Creates the error `Internal error`.
    pub fn internal(path: &Path<'_>, detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, path, BadValue::Omitted, detail)
    }

    /// Returns the message without the field: `Invalid value: "x": must be ...`.
    pub fn body(&self) -> String {
        let mut out = self.kind.as_text().to_owned();
        if self.kind.prints_value() && self.bad_value != BadValue::Omitted {
            out.push_str(": ");
            out.push_str(&self.bad_value.to_string());
        }
        if !self.detail.is_empty() {
            out.push_str(": ");
            out.push_str(&self.detail);
        }
        out
    }
}

/// Lists the supported values for the error `Unsupported value`. Returns an empty text if there are none.
#[doc(hidden)]
#[must_use]
pub fn supported_values<S: AsRef<str>>(supported: impl IntoIterator<Item = S>) -> String {
    let mut text = String::new();
    for value in supported {
        text.push_str(if text.is_empty() { "supported values: " } else { ", " });
        text.push_str(&gofmt::quote(value.as_ref()));
    }
    text
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body())
    }
}

impl std::error::Error for Error {}

/// Errors in the order in which they were found.
///
/// # Examples
///
/// ```
/// use crd_runtime::field::{Error, ErrorKind, ErrorList, Path};
///
/// let spec = Path::new("spec");
/// let errors = ErrorList::from_iter([
///     Error::required(&spec.field("name"), ""),
///     Error::invalid(&spec.field("ports").index(0), 0, "must be positive"),
/// ]);
/// // It prints as Go's aggregate of errors.
/// assert_eq!(
///     errors.to_string(),
///     "[spec.name: Required value, spec.ports[0]: Invalid value: 0: must be positive]",
/// );
/// let missing = errors.iter().filter(|error| error.kind == ErrorKind::Required);
/// assert_eq!(missing.map(|error| error.field.to_string()).collect::<Vec<_>>(), ["spec.name"]);
/// assert!(errors.into_result().is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct ErrorList(Vec<Error>);

impl ErrorList {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Creates a list of these errors.
    pub(crate) const fn of(errors: Vec<Error>) -> Self {
        Self(errors)
    }

    /// Adds an error.
    pub fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of errors.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Iterates over the errors in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Error> {
        self.0.iter()
    }

    /// Sorts by the printed text, bytewise, keeping duplicates.
    pub fn sort_by_text(&mut self) {
        self.0.sort_by_cached_key(ToString::to_string);
    }

    /// Returns `Ok` if the list is empty.
    ///
    /// # Errors
    /// Returns the list itself if it is not empty.
    pub fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl Extend<Error> for ErrorList {
    fn extend<T: IntoIterator<Item = Error>>(&mut self, errors: T) {
        self.0.extend(errors);
    }
}

impl FromIterator<Error> for ErrorList {
    fn from_iter<T: IntoIterator<Item = Error>>(errors: T) -> Self {
        Self(errors.into_iter().collect())
    }
}

impl From<Error> for ErrorList {
    fn from(error: Error) -> Self {
        Self(vec![error])
    }
}

impl IntoIterator for ErrorList {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a ErrorList {
    type Item = &'a Error;
    type IntoIter = std::slice::Iter<'a, Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Prints as Go's aggregate: duplicate texts are left out, and several are joined as `[a, b]`.
impl fmt::Display for ErrorList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        let mut seen = HashSet::with_capacity(texts.len());
        let different: Vec<&str> =
            texts.iter().map(String::as_str).filter(|text| seen.insert(*text)).collect();
        match different.as_slice() {
            [one] => f.write_str(one),
            many => write!(f, "[{}]", many.join(", ")),
        }
    }
}

impl std::error::Error for ErrorList {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_kinds() {
        for (index, (kind, ..)) in ErrorKind::ROWS.iter().enumerate() {
            assert_eq!(*kind as usize, index);
        }
    }

    #[test]
    fn values_print_as_go_prints_them() {
        for (value, want) in [
            (json!("a\"b"), r#""a\"b""#),
            (json!(5), "5"),
            (json!(1_000_000.0), "1e+06"),
            (json!(true), "true"),
            (json!(null), "null"),
            (json!({"b": [1, 1.0], "a": "<&>"}), r#"{"a":"\u003c\u0026\u003e","b":[1,1]}"#),
        ] {
            assert_eq!(BadValue::Value(value).to_string(), want);
        }
    }

    #[test]
    fn errors_print_as_go_prints_them() {
        let spec = Path::new("spec");
        let a = spec.field("a");
        for (error, want) in [
            (Error::required(&a, ""), "spec.a: Required value"),
            (Error::invalid(&a, "x", "no"), r#"spec.a: Invalid value: "x": no"#),
            (Error::too_many(&a, 3, 1), "spec.a: Too many: 3: must have at most 1 item"),
            (Error::too_long(&a, 2), "spec.a: Too long: may not be more than 2 bytes"),
            (
                Error::not_supported(&a, "c", ["a", "b"]),
                r#"spec.a: Unsupported value: "c": supported values: "a", "b""#,
            ),
            (Error::duplicate(&a, BadValue::Omitted), "spec.a: Duplicate value"),
        ] {
            assert_eq!(error.to_string(), want);
        }
    }

    #[test]
    fn lists_print_as_go_aggregates() {
        let error = Error::forbidden(&Path::new("a"), "no");
        let mut list = ErrorList::from(error.clone());
        list.push(error);
        assert_eq!(list.to_string(), "a: Forbidden: no");
        list.push(Error::required(&Path::new("b"), ""));
        assert_eq!(list.to_string(), "[a: Forbidden: no, b: Required value]");
    }
}
