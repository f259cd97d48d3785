//! Semantic versions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/semverlib.go`.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Declarations;
use super::bind::{Binding, Call, Cost, traversal};
use crate::domain::semver::Version;
use crate::error::{EvalError, ParseError};
use crate::types::{Type, type_names};
use crate::value::{Opaque, Value};

fn semver() -> Type {
    Type::object(type_names::SEMVER)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.function("semver", "string_to_semver", [Type::String], semver());
    d.function("semver", "string_bool_to_semver", [Type::String, Type::Bool], semver());
    d.function("isSemver", "is_semver_string", [Type::String], Type::Bool);
    d.function("isSemver", "is_semver_string_bool", [Type::String, Type::Bool], Type::Bool);
    d.method("isGreaterThan", "semver_is_greater_than", [semver(), semver()], Type::Bool);
    d.method("isLessThan", "semver_is_less_than", [semver(), semver()], Type::Bool);
    d.method("compareTo", "semver_compare_to", [semver(), semver()], Type::Int);
    d.method("major", "semver_major", [semver()], Type::Int);
    d.method("minor", "semver_minor", [semver()], Type::Int);
    d.method("patch", "semver_patch", [semver()], Type::Int);
}

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let parsing = |call| Binding::new(call).costing(Cost::Of(traversal));
    let call: Call = match overload {
        "string_to_semver" | "string_bool_to_semver" => {
            return Some(
                parsing(|_, args| match parse(args)? {
                    Ok(version) => Ok(Value::Opaque(Opaque::Semver(Arc::new(version)))),
                    Err(error) => Err(error.into()),
                })
                .once(),
            );
        }
        "is_semver_string" | "is_semver_string_bool" => {
            return Some(parsing(|_, args| Ok(Value::Bool(parse(args)?.is_ok()))));
        }
        "semver_is_greater_than" => {
            |_, args| compare(args, |ordering| Value::Bool(ordering.is_gt()))
        }
        "semver_is_less_than" => |_, args| compare(args, |ordering| Value::Bool(ordering.is_lt())),
        "semver_compare_to" => |_, args| compare(args, |ordering| Value::Int(ordering as i64)),
        "semver_major" => |_, args| number(args, |version| version.major),
        "semver_minor" => |_, args| number(args, |version| version.minor),
        "semver_patch" => |_, args| number(args, |version| version.patch),
        _ => return None,
    };
    Some(Binding::new(call))
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
