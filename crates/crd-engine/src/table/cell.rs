//! The cell of a value.

use std::time::SystemTime;

use crd_cel::gofmt;
use serde_json::Value;

use super::age;
use crate::json::{self, Num};

/// Returns the cell of a value; null if the value does not have the column's type.
///
/// Source: `cellForJSONValue` in `tableconvertor.go`; text is `JSONPath.PrintResults`.
pub(super) fn of(column_type: &str, value: &Value, now: SystemTime) -> Value {
    match (column_type, value) {
        ("string", value) => Value::String(text(value)),
        ("integer", Value::Number(number)) => Value::from(match Num::of(number) {
            Num::Int(int) => int,
            Num::Float(float) => truncated(float),
        }),
        ("number", Value::Number(number)) => Value::from(Num::of(number).as_f64()),
        ("boolean", Value::Bool(value)) => Value::Bool(*value),
        ("date", Value::String(text)) => Value::String(age::of(text, now)),
        _ => Value::Null,
    }
}

/// Formats a value as client-go's JSON paths print it, such as `3` or `["a"]`.
pub fn text(value: &Value) -> String {
    match value {
        // Upstream: the text of a reflected nil in Go.
        Value::Null => "<no value>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match Num::of(number) {
            Num::Int(int) => int.to_string(),
            Num::Float(float) => gofmt::float_v(float),
        },
        Value::Array(_) | Value::Object(_) => json::to_go_string(value),
    }
}

/// Converts as Go does on amd64: toward zero, and to the smallest integer if the value does not fit.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn truncated(float: f64) -> i64 {
    /// 2 to the 63rd, the first float beyond int64.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if (-BEYOND..BEYOND).contains(&float) { float as i64 } else { i64::MIN }
}
