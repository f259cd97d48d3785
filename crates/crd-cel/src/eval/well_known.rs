//! Evaluates literals of the well-known protobuf messages, whose values are plain CEL values:
//! `Int32Value{value: 1}` is the int 1.
//!
//! Other than those, only the objects and operations of patches can be constructed. Source: `cel-go/common/types/pb/type.go`,
//! `unwrap`.

use std::fmt::Write as _;

use super::{Evaluated, Evaluation, STRUCT_COST};
use crate::error::EvalError;
use crate::plan::MessageField;
use crate::time::{Duration, SECOND, Timestamp};
use crate::value::constructed::{self, Constructed};
use crate::value::{OwnedMap, Value};

impl<'v> Evaluation<'_, 'v> {
    #[inline(never)]
    pub(super) fn message(&mut self, name: &'v str, fields: &'v [MessageField]) -> Evaluated<'v> {
        let message = self.message_value(name, fields);
        self.charged(message, |_| Ok(STRUCT_COST))
    }

    fn message_value(&mut self, name: &'v str, fields: &'v [MessageField]) -> Evaluated<'v> {
        let values = self.fields(fields)?;
        if constructed::is_type(name) {
            self.budget.allocate(Constructed::bytes(values.len()))?;
            return constructed::of(name, values);
        }
        let name = name.strip_prefix("google.protobuf.").unwrap_or(name);
        let first = values.first().map(|(_, value)| value.clone());
        Ok(match name {
            "BoolValue" => first.unwrap_or(Value::Bool(false)),
            "BytesValue" => first.unwrap_or(Value::bytes([])),
            "DoubleValue" => first.unwrap_or(Value::Double(0.0)),
            "FloatValue" => single_precision(first.unwrap_or(Value::Double(0.0))),
            "Int64Value" => first.unwrap_or(Value::Int(0)),
            "UInt64Value" => first.unwrap_or(Value::Uint(0)),
            "Int32Value" => match first.unwrap_or(Value::Int(0)) {
                Value::Int(i) if i32::try_from(i).is_err() => {
                    return Err(too_large("Int32Value.value", "integer overflow"));
                }
                value => value,
            },
            "UInt32Value" => match first.unwrap_or(Value::Uint(0)) {
                Value::Uint(u) if u32::try_from(u).is_err() => {
                    return Err(too_large("UInt32Value.value", "unsigned integer overflow"));
                }
                value => value,
            },
            "StringValue" => first.unwrap_or(Value::str("")),
            // The null of a `Value` is an enum value, whose CEL type is int.
            "Value" if values.first().is_some_and(|(field, _)| *field == "null_value") => {
                Value::Null
            }
            "Value" => first.unwrap_or(Value::Null),
            "ListValue" => first.unwrap_or(Value::list(Vec::new())),
            "Struct" => first.unwrap_or(Value::map(OwnedMap::new())),
            "Duration" => {
                let (seconds, nanos) = seconds_and_nanos(name, &values)?;
                let sum = seconds.checked_mul(SECOND).and_then(|s| s.checked_add(nanos));
                // Upstream: `AsDuration` returns the nearest duration that Go has.
                let nearest = if seconds < 0 { i64::MIN } else { i64::MAX };
                Value::Duration(Duration { nanos: sum.unwrap_or(nearest) })
            }
            "Timestamp" => {
                let (seconds, nanos) = seconds_and_nanos(name, &values)?;
                let seconds = seconds.saturating_add(nanos.div_euclid(SECOND));
                let nanos = u32::try_from(nanos.rem_euclid(SECOND)).unwrap_or(0);
                Value::Timestamp(Timestamp { seconds, nanos, offset: 0 })
            }
            "Any" => return Err(any(&values)),
            other => return Err(EvalError::of(format_args!("unknown type '{other}'"))),
        })
    }

    /// The fields that are set, each with its last value. An optional value that is empty unsets the
    /// field.
    fn fields(
        &mut self,
        fields: &'v [MessageField],
    ) -> Result<Vec<(&'v str, Value<'v>)>, EvalError> {
        let mut values = Vec::with_capacity(fields.len());
        for (field, node, optional) in fields {
            let value = match (*optional, self.eval(node)?) {
                (false, value) => Some(value),
                (true, Value::Optional(value)) => value.map(|value| (*value).clone()),
                (true, other) => {
                    return Err(EvalError::of(format_args!(
                        "cannot initialize optional entry '{field}' from non-optional value {other}"
                    )));
                }
            };
            values.retain(|(name, _)| name != field);
            values.extend(value.map(|value| (field.as_str(), value)));
        }
        Ok(values)
    }
}

fn too_large(field: &str, why: &str) -> EvalError {
    EvalError::of(format_args!(
        "field type conversion error for google.protobuf.{field} value type: {why}"
    ))
}

fn single_precision(value: Value<'_>) -> Value<'_> {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "a float field holds no more")]
        Value::Double(d) => Value::Double(f64::from(d as f32)),
        other => other,
    }
}

/// The fields `seconds` and `nanos`, 0 if they are not set; an error if `nanos` is not an `int32`.
fn seconds_and_nanos(message: &str, values: &[(&str, Value<'_>)]) -> Result<(i64, i64), EvalError> {
    let field = |name| match values.iter().find(|(field, _)| *field == name) {
        Some((_, Value::Int(i))) => *i,
        _ => 0,
    };
    let nanos = field("nanos");
    if i32::try_from(nanos).is_err() {
        return Err(too_large(&format!("{message}.nanos"), "integer overflow"));
    }
    Ok((field("seconds"), nanos))
}

/// The error of an `Any` literal, which always fails, because the environment has no messages that it
/// could contain. The text has the fields as Go prints them.
fn any(values: &[(&str, Value<'_>)]) -> EvalError {
    let mut text = "unsupported conversion to ref.Val: (*dynamicpb.Message)".to_owned();
    for (index, (field, value)) in values.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "  " });
        match value {
            Value::String(value) => {
                let _ = write!(text, "{field}:{value:?}");
            }
            Value::Bytes(value) => {
                {
                    let _ = write!(text, "{field}:\"");
                }
                for byte in value.iter() {
                    match byte {
                        b' '..=b'~' => text.push(char::from(*byte)),
                        other => {
                            let _ = write!(text, "\\x{other:02x}");
                        }
                    }
                }
                text.push('"');
            }
            other => {
                let _ = write!(text, "{field}:{other}");
            }
        }
    }
    EvalError::new(text)
}
