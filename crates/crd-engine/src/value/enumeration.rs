//! `enum`

use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::location::Location;
use super::numeric::truncate;
use super::report::{Collect, ValidationFailure};
use crate::compiled::Enumeration;
use crate::field::{BadValue, ErrorKind};
use crate::json::{self, Num};

/// Checks `enum`. `null` is never a member, not even if `enum` contains it.
///
/// Source: `pkg/validation/validate/validator.go`, `basicCommonValidator.Validate`.
pub(super) fn check(
    enumeration: Option<&Enumeration>,
    value: &Value,
    kubernetes: KubernetesVersion,
    at: &Location<'_>,
    record: &mut impl Collect,
) {
    let Some(enumeration) = enumeration else { return };
    if enumeration.members.iter().any(|allowed| is_member(value, allowed)) {
        return;
    }
    record.fail(ErrorKind::NotSupported, || {
        let texts = Arc::clone(enumeration.texts());
        ValidationFailure::not_supported(at, BadValue::of(value, kubernetes), texts)
    });
}

/// Returns whether a value equals an allowed value, after Go has converted it to the type of the allowed value.
fn is_member(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::String(value), Value::String(allowed)) => value == allowed,
        (Value::Number(value), Value::Number(allowed)) => {
            match (Num::of(value), Num::of(allowed)) {
                (Num::Float(value), Num::Int(allowed)) => truncate(value) == allowed,
                (value @ Num::Int(_), allowed @ Num::Float(_)) => {
                    Num::Float(value.as_f64()) == allowed
                }
                (value, allowed) => value == allowed,
            }
        }
        // Upstream: Go converts an integer to the string of that code point.
        (Value::Number(value), Value::String(allowed)) => match Num::of(value) {
            Num::Int(code) => {
                let c = u32::try_from(code).ok().and_then(char::from_u32);
                allowed.chars().eq([c.unwrap_or(char::REPLACEMENT_CHARACTER)])
            }
            Num::Float(_) => false,
        },
        (value, allowed) => json::equal(value, allowed),
    }
}
