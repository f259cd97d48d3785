//! Compares raw JSON as Go compares decoded JSON: an `int64` never equals a `float64`.

use serde_json::{Number, Value as Json};

use super::{List, Map, Value};
use crate::error::EvalError;
use crate::steps::Steps;

/// A scalar as a key of a Go map of `interface{}`. Two keys are equal if their types and values are.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(crate) enum ScalarKey<'a> {
    /// The null of JSON.
    Null,
    /// The null of CEL, which has another Go type.
    NullValue,
    Bool(bool),
    Int(i64),
    Uint(u64),
    /// The bits of a float; the two zeros are one key.
    Float(u64),
    String(&'a str),
    Duration(i64),
    /// Seconds and nanoseconds in UTC.
    Time(i64, u32),
}

impl<'a> ScalarKey<'a> {
    /// The key of a JSON scalar.
    pub(crate) fn of_json(json: &'a Json) -> Option<Self> {
        match json {
            Json::Null => Some(Self::Null),
            Json::Bool(b) => Some(Self::Bool(*b)),
            Json::Number(n) => Some(Self::of_number(n)),
            Json::String(text) => Some(Self::String(text)),
            Json::Array(_) | Json::Object(_) => None,
        }
    }

    /// The key of a CEL scalar that is converted to a Go value; `None` if it equals no other key, like
    /// NaN.
    ///
    /// Upstream: a time with an offset from UTC points to a zone of its own, so it equals no other time.
    pub(crate) fn of_value(value: &'a Value<'_>) -> Option<Self> {
        match value {
            Value::Null => Some(Self::NullValue),
            Value::Bool(b) => Some(Self::Bool(*b)),
            Value::Int(i) => Some(Self::Int(*i)),
            Value::Uint(u) => Some(Self::Uint(*u)),
            Value::Double(f) if f.is_nan() => None,
            Value::Double(f) => Some(Self::of_float(*f)),
            Value::String(text) | Value::Type(text) => Some(Self::String(text)),
            Value::Duration(duration) => Some(Self::Duration(duration.nanos)),
            Value::Timestamp(time) => {
                (time.offset == 0).then_some(Self::Time(time.seconds, time.nanos))
            }
            _ => None,
        }
    }

    fn of_number(n: &Number) -> Self {
        n.as_i64().map_or_else(|| Self::of_float(n.as_f64().unwrap_or(f64::NAN)), Self::Int)
    }

    fn of_float(f: f64) -> Self {
        Self::Float(if f == 0.0 { 0 } else { f.to_bits() })
    }
}

/// Whether two JSON values are deeply equal.
///
/// # Errors
/// If there are no steps left: each pair of elements takes one.
pub(crate) fn json_equal(a: &Json, b: &Json, steps: &mut Steps) -> Result<bool, EvalError> {
    steps.take(1)?;
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => arrays_equal(a, b, steps),
        (Json::Object(a), Json::Object(b)) => objects_equal(a, b, steps),
        (Json::String(a), Json::String(b)) => {
            steps.take_bytes(a.len().min(b.len()))?;
            Ok(a == b)
        }
        _ => Ok(match (ScalarKey::of_json(a), ScalarKey::of_json(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }),
    }
}

fn arrays_equal(a: &[Json], b: &[Json], steps: &mut Steps) -> Result<bool, EvalError> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (a, b) in a.iter().zip(b) {
        if !json_equal(a, b, steps)? {
            return Ok(false);
        }
    }
    Ok(true)
}

type Entries = serde_json::Map<String, Json>;

fn objects_equal(a: &Entries, b: &Entries, steps: &mut Steps) -> Result<bool, EvalError> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (key, a) in a {
        let Some(b) = b.get(key) else { return Ok(false) };
        if !json_equal(a, b, steps)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a CEL value that is converted to a Go value is deeply equal to JSON.
///
/// # Errors
/// As [`json_equal`].
pub(crate) fn matches(
    value: &Value<'_>,
    json: &Json,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    match (value, json) {
        (Value::Unknown(value), _) => json_equal(value, json, steps),
        (Value::List(List::Json { items, .. } | List::Raw(items)), Json::Array(b)) => {
            arrays_equal(items, b, steps)
        }
        (
            Value::Map(Map::Object { entries, .. } | Map::Json { entries, .. } | Map::Raw(entries)),
            Json::Object(b),
        ) => objects_equal(entries, b, steps),
        _ => Ok(match (ScalarKey::of_value(value), ScalarKey::of_json(json)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }),
    }
}
