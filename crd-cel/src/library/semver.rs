//! Semantic versions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/semverlib.go`.

use std::cmp::Ordering;
use std::sync::Arc;

use super::binding::{Binding, parsing};
use super::estimate::Kubernetes;
use super::row::{Row, sig};
use crate::budget::Budget;
use crate::domain::semver::Version;
use crate::error::{EvalError, ParseError};
use crate::value::{Opaque, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const OVERLOADS: &[Row] = &[
    Row::function(
        "semver",
        "string_to_semver",
        sig!((string) -> Semver),
        parsing(to_semver).once(),
    )
    .kubernetes(Kubernetes::Parse)
    .costed_by_name(),
    Row::function(
        "semver",
        "string_bool_to_semver",
        sig!((string bool) -> Semver),
        parsing(to_semver).once(),
    )
    .kubernetes(Kubernetes::Parse),
    Row::function(
        "isSemver",
        "is_semver_string",
        sig!((string) -> bool),
        parsing(|_, args| Ok(Value::Bool(parse(args)?.is_ok()))),
    )
    .kubernetes(Kubernetes::Parse)
    .costed_by_name(),
    Row::function(
        "isSemver",
        "is_semver_string_bool",
        sig!((string bool) -> bool),
        parsing(|_, args| Ok(Value::Bool(parse(args)?.is_ok()))),
    )
    .kubernetes(Kubernetes::Parse),
    Row::method(
        "isGreaterThan",
        "semver_is_greater_than",
        sig!((Semver Semver) -> bool),
        Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_gt()))),
    ),
    Row::method(
        "isLessThan",
        "semver_is_less_than",
        sig!((Semver Semver) -> bool),
        Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_lt()))),
    ),
    Row::method(
        "compareTo",
        "semver_compare_to",
        sig!((Semver Semver) -> int),
        Binding::new(|_, args| compare(args, |ordering| Value::Int(ordering as i64))),
    ),
    Row::method(
        "major",
        "semver_major",
        sig!((Semver) -> int),
        Binding::new(|_, args| number(args, |version| version.major)),
    ),
    Row::method(
        "minor",
        "semver_minor",
        sig!((Semver) -> int),
        Binding::new(|_, args| number(args, |version| version.minor)),
    ),
    Row::method(
        "patch",
        "semver_patch",
        sig!((Semver) -> int),
        Binding::new(|_, args| number(args, |version| version.patch)),
    ),
];

fn to_semver<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match parse(args)? {
        Ok(version) => Ok(Value::Opaque(Opaque::Semver(Arc::new(version)))),
        Err(error) => Err(error.into()),
    }
}

/// The outer error is that of the call, the inner one that of the text.
fn parse(
    args: &[Value<'_>],
) -> std::result::Result<std::result::Result<Version, ParseError>, EvalError> {
    match args {
        [Value::String(text)] | [Value::String(text), Value::Bool(false)] => {
            Ok(Version::parse(text))
        }
        [Value::String(text), Value::Bool(true)] => Ok(Version::parse_normalized(text)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn compare<'a>(args: &[Value<'a>], result: fn(Ordering) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Semver(a)), Value::Opaque(Opaque::Semver(b))] => {
            Ok(result(a.cmp(b)))
        }
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn number<'a>(args: &[Value<'a>], part: fn(&Version) -> u64) -> Result<'a> {
    match args {
        // Upstream: a number beyond 63 bits wraps around.
        [Value::Opaque(Opaque::Semver(version))] => Ok(Value::Int(part(version).cast_signed())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
