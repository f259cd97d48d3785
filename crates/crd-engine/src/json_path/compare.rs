//! Comparisons in filters.
//!
//! Source: `k8s.io/client-go/third_party/forked/golang/template/funcs.go`: only values of the same kind are comparable.

use std::cmp::Ordering;

use serde_json::Value;

use crate::json::Num;

/// Whether a comparison holds.
///
/// # Errors
/// If the operator is unknown, or the two values cannot be compared.
pub(super) fn holds(operator: &str, left: &Value, right: &Value) -> Result<bool, String> {
    match operator {
        "==" => equal(left, right),
        "!=" => equal(left, right).map(|equal| !equal),
        "<" => less(left, right),
        ">=" => less(left, right).map(|less| !less),
        "<=" => Ok(less(left, right)? || equal(left, right)?),
        ">" => Ok(!(less(left, right)? || equal(left, right)?)),
        _ => Err(format!("unrecognized filter operator {operator}")),
    }
}

fn equal(left: &Value, right: &Value) -> Result<bool, String> {
    match (basic(left)?, basic(right)?) {
        (Basic::Bool(left), Basic::Bool(right)) => Ok(left == right),
        (left, right) => Ok(order(&left, &right)? == Some(Ordering::Equal)),
    }
}

fn less(left: &Value, right: &Value) -> Result<bool, String> {
    match (basic(left)?, basic(right)?) {
        (Basic::Bool(_), Basic::Bool(_)) => Err(bad_type()),
        (left, right) => Ok(order(&left, &right)? == Some(Ordering::Less)),
    }
}

enum Basic<'a> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a str),
}

fn basic(value: &Value) -> Result<Basic<'_>, String> {
    Ok(match value {
        Value::Bool(value) => Basic::Bool(*value),
        Value::String(text) => Basic::Text(text),
        Value::Number(number) => match Num::of(number) {
            Num::Int(int) => Basic::Int(int),
            Num::Float(float) => Basic::Float(float),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => return Err(bad_type()),
    })
}

fn order(left: &Basic<'_>, right: &Basic<'_>) -> Result<Option<Ordering>, String> {
    match (left, right) {
        (Basic::Int(left), Basic::Int(right)) => Ok(Some(left.cmp(right))),
        (Basic::Float(left), Basic::Float(right)) => Ok(left.partial_cmp(right)),
        (Basic::Text(left), Basic::Text(right)) => Ok(Some(left.cmp(right))),
        _ => Err("incompatible types for comparison".to_owned()),
    }
}

fn bad_type() -> String {
    "invalid type for comparison".to_owned()
}
