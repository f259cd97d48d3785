//! Evaluation of semantic versions.

use crate::budget::Budget;
use crate::domain::semver::Version;
use crate::error::{EvalError, ParseError};
use crate::value::Opaque;
pub(super) use crate::value::Value;
use std::cmp::Ordering;
use std::sync::Arc;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) fn to_semver<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match parse(args)? {
        Ok(version) => Ok(Value::Opaque(Opaque::Semver(Arc::new(version)))),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn is_valid<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    Ok(Value::Bool(parse(args)?.is_ok()))
}

/// Parses a version. The outer error is that of the call, the inner one that of the text.
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

pub(super) fn compare<'a>(args: &[Value<'a>], result: fn(Ordering) -> Value<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Semver(a)), Value::Opaque(Opaque::Semver(b))] => {
            Ok(result(a.cmp(b)))
        }
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn number<'a>(args: &[Value<'a>], part: fn(&Version) -> u64) -> Result<'a> {
    match args {
        // Upstream: a number beyond 63 bits wraps around.
        [Value::Opaque(Opaque::Semver(version))] => Ok(Value::Int(part(version).cast_signed())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
