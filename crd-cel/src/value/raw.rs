//! Comparison of raw JSON, as Go compares the values its decoder makes: `int64` and `float64` differ.

use serde_json::{Number, Value as Json};

use super::{List, Map, Value};

/// A scalar as a key of a Go map of `interface{}`: equal where type and value are.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(crate) enum Key<'a> {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of a float; the two zeros are one key, NaN is none.
    Float(u64),
    String(&'a str),
}

impl<'a> Key<'a> {
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

    /// The key of the Go value behind a CEL value.
    pub(crate) fn of_value(value: &'a Value<'_>) -> Option<Self> {
        match value {
            Value::Bool(b) => Some(Self::Bool(*b)),
            Value::Int(i) => Some(Self::Int(*i)),
            Value::Double(f) => Some(Self::of_float(*f)),
            Value::String(text) => Some(Self::String(text)),
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
pub(crate) fn json_equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| json_equal(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| json_equal(a, b)))
        }
        _ => match (Key::of_json(a), Key::of_json(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
    }
}

/// Whether the Go value behind a CEL value is deeply equal to JSON.
pub(crate) fn matches(value: &Value<'_>, json: &Json) -> bool {
    match (value, json) {
        (Value::Unknown(value), _) => json_equal(value, json),
        (Value::List(List::Json { items, .. } | List::Raw(items)), Json::Array(b)) => {
            items.len() == b.len() && items.iter().zip(b).all(|(a, b)| json_equal(a, b))
        }
        (
            Value::Map(Map::Object { entries, .. } | Map::Json { entries, .. } | Map::Raw(entries)),
            Json::Object(b),
        ) => {
            entries.len() == b.len()
                && entries.iter().all(|(key, a)| b.get(key).is_some_and(|b| json_equal(a, b)))
        }
        _ => match (Key::of_value(value), Key::of_json(json)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
    }
}
