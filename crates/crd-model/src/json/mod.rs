//! JSON as the API server handles it: numbers are int64 or float64, and text is formatted as by Go.
//!
//! The tree is [`serde_json::Value`]; this module adds apimachinery's semantics.

mod decode;
mod depth;
mod print;

use std::collections::BTreeMap;

use crd_cel::gofmt;
use serde_json::{Map, Number, Value};

pub use decode::decode_own;
pub use decode::{Decoded, Error, decode};
pub use decode::{OutOfRange, decode_any, decode_texts};
pub use depth::MAX_DEPTH;
pub use depth::is_deeper_than;
pub use depth::{drop_deep, is_too_deep, too_deep};
pub use print::to_go_string;
pub(crate) use print::to_path_string;
pub use print::{strings_to_go_syntax, to_go_syntax, to_go_v, write_string};

/// Returns the Go type of a decoded value, as `%T` prints it.
#[inline]
pub fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) => match Num::of(number) {
            Num::Int(_) => "int64",
            Num::Float(_) => "float64",
        },
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Returns what Go's decoder calls a JSON value.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A JSON number as apimachinery decodes it.
///
/// Source: `k8s.io/apimachinery/pkg/util/json`: an integer literal that fits is int64, all else float64.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Num {
    /// An integer literal within int64.
    Int(i64),
    /// Any other number.
    Float(f64),
}

impl Num {
    /// Reads a number.
    #[inline]
    pub fn of(number: &Number) -> Self {
        match number.as_i64() {
            Some(int) => Self::Int(int),
            None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    /// The value as float64, rounding integers beyond 2^53.
    #[expect(clippy::cast_precision_loss, reason = "Go converts the same way")]
    #[inline]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }
}

/// Returns whether two values are equal by Go's `reflect.DeepEqual`: an int64 never equals a float64.
#[inline]
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Num::of(a) == Num::of(b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// Returns the entries of an object sorted by key; `None` if the map is sorted already, as it is unless another crate
/// enables `preserve_order` of `serde_json`.
#[inline]
pub fn sorted(map: &Map<String, Value>) -> Option<Vec<(&str, &Value)>> {
    // PERF: without `preserve_order` the map is a `BTreeMap`, which differs in size from the map with it.
    const SORTS: bool = size_of::<Map<String, Value>>() == size_of::<BTreeMap<String, Value>>();
    if SORTS || map.keys().is_sorted() {
        return None;
    }
    let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    Some(entries)
}

/// Returns a value as it is after it has been stored and read back: a float that prints as an integer literal within
/// int64 becomes that integer, so `1.0` becomes `1`.
///
/// Source: `encoding/json` writes `1.0` as `1`, and `k8s.io/apimachinery/pkg/util/json` reads that as int64.
#[must_use]
pub fn stored(mut value: Value) -> Value {
    store(&mut value);
    value
}

fn store(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Num::Float(float) = Num::of(number)
                && let Ok(int) = gofmt::float_json(float).parse::<i64>()
            {
                *number = int.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(store),
        Value::Object(map) => map.values_mut().for_each(store),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod stored_tests {
    use serde_json::json;

    use super::stored;

    #[test]
    fn whole_floats_come_back_as_integers() {
        let value =
            json!({"a": [1.0, -0.0, 1e3, 1.5, 1e20, 9_223_372_036_854_775_808_u64], "b": 1});
        let want = json!({"a": [1, 0, 1000, 1.5, 1e20, 9_223_372_036_854_775_808_u64], "b": 1});
        assert_eq!(stored(value), want);
    }
}
