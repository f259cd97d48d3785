//! JSON to values: under a declaration, and without one.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/values.go`, `UnstructuredToVal`.

use serde_json::Value as Json;

use super::{List, Map, Value};
use crate::decl::{Decl, DeclKind};
use crate::error::EvalError;

/// A JSON value as its declaration has it.
///
/// # Errors
/// Where the JSON is not what the declaration says; the error is met by whoever touches the value.
#[inline]
pub(crate) fn typed<'a>(json: &'a Json, decl: &'a Decl) -> Result<Value<'a>, EvalError> {
    match (&decl.kind, json) {
        (DeclKind::String | DeclKind::IntOrString, Json::String(text)) => Ok(Value::str(text)),
        (DeclKind::Bool, Json::Bool(b)) => Ok(Value::Bool(*b)),
        (DeclKind::Object(object), Json::Object(entries)) => {
            Ok(Value::Map(Map::Object { entries, decl: object }))
        }
        (DeclKind::Map { value }, Json::Object(entries)) => {
            Ok(Value::Map(Map::Json { entries, value }))
        }
        (DeclKind::List { .. }, Json::Array(items)) => Ok(Value::List(List::Json { items, decl })),
        (DeclKind::Int | DeclKind::IntOrString, Json::Number(n)) if n.is_i64() => {
            Ok(Value::Int(n.as_i64().unwrap_or_default()))
        }
        (DeclKind::Double, Json::Number(n)) => Ok(Value::Double(n.as_f64().unwrap_or(f64::NAN))),
        _ => rest(json, decl),
    }
}

/// The declarations that need parsing, and the errors.
fn rest<'a>(json: &'a Json, decl: &'a Decl) -> Result<Value<'a>, EvalError> {
    if json.is_null() {
        return if decl.nullable {
            Ok(Value::Null)
        } else {
            Err(EvalError::fixed("invalid data, got null for schema with nullable=false"))
        };
    }
    match &decl.kind {
        DeclKind::Opaque => Ok(Value::Unknown(json)),
        DeclKind::IntOrString => Err(EvalError::fixed(
            "invalid data, expected XIntOrString value to be either a string or integer",
        )),
        DeclKind::Object(_) | DeclKind::Map { .. } => Err(EvalError::fixed(
            "invalid data, expected a map for the provided schema with type=object",
        )),
        DeclKind::List { .. } => Err(EvalError::fixed(
            "invalid data, expected an array for the provided schema with type=array",
        )),
        DeclKind::Int => Err(unexpected("int", json)),
        DeclKind::Double => Err(unexpected("float", json)),
        DeclKind::Bool => Err(unexpected("bool", json)),
        DeclKind::String
        | DeclKind::Bytes
        | DeclKind::Date
        | DeclKind::DateTime
        | DeclKind::Duration => Err(unexpected("string", json)),
    }
}

fn unexpected(expected: &str, json: &Json) -> EvalError {
    EvalError::new(format!("invalid data, expected {expected}, got {}", go_type(json)))
}

/// The Go type that the API server's JSON decoder gives a value.
fn go_type(json: &Json) -> &'static str {
    match json {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Number(n) if n.is_i64() => "int64",
        Json::Number(_) => "float64",
        Json::String(_) => "string",
        Json::Array(_) => "[]interface {}",
        Json::Object(_) => "map[string]interface {}",
    }
}

/// A JSON value as cel-go sees Go's plain maps, lists and scalars.
pub(crate) fn raw(json: &Json) -> Value<'_> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::Double(n.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::str(text),
        Json::Array(items) => Value::List(List::Raw(items)),
        Json::Object(entries) => Value::Map(Map::Raw(entries)),
    }
}
