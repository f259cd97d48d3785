//! Converts JSON to values, with a declaration or without one.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/valuesunstructured.go`, `UnstructuredToVal`.

use serde_json::Value as Json;
use std::fmt::Display;

use super::{List, Map, Value};
use crate::base64;
use crate::decl::{Decl, DeclKind, ListType};
use crate::error::EvalError;
use crate::time::{Duration, Timestamp};

const NOT_A_MAP: EvalError =
    EvalError::fixed("invalid data, expected a map for the provided schema with type=object");
const NOT_A_LIST: EvalError =
    EvalError::fixed("invalid data, expected an array for the provided schema with type=array");
const NOT_INT_OR_STRING: EvalError =
    EvalError::fixed("invalid data, expected XIntOrString value to be either a string or integer");

/// The CEL value of JSON, of the type that `decl` declares.
///
/// # Errors
/// If the JSON does not match the declaration. The rule gets the error when it reads the value.
#[inline]
pub(crate) fn typed<'a>(json: &'a Json, decl: &'a Decl) -> Result<Value<'a>, EvalError> {
    match (&decl.kind, json) {
        (DeclKind::String | DeclKind::IntOrString, Json::String(text)) => Ok(Value::str(text)),
        (DeclKind::Bool, Json::Bool(b)) => Ok(Value::Bool(*b)),
        (
            DeclKind::Object(object) | DeclKind::Map { fields: Some(object), .. },
            Json::Object(entries),
        ) => Ok(Value::Map(Map::Object { entries, decl: object })),
        (DeclKind::Map { value, fields: None }, Json::Object(entries)) => {
            Ok(Value::Map(Map::Json { entries, value }))
        }
        (DeclKind::List { list_type, element: _ }, Json::Array(items)) => {
            list(items, decl, list_type)
        }
        (DeclKind::Int | DeclKind::IntOrString, Json::Number(n)) if n.is_i64() => {
            Ok(Value::Int(n.as_i64().unwrap_or_default()))
        }
        (DeclKind::Double, Json::Number(n)) => Ok(Value::Double(n.as_f64().unwrap_or(f64::NAN))),
        _ => rest(json, decl),
    }
}

#[inline]
fn list<'a>(
    items: &'a Vec<Json>,
    decl: &'a Decl,
    list_type: &ListType,
) -> Result<Value<'a>, EvalError> {
    match list_type {
        ListType::Invalid(name) => Err(invalid_list_type(name)),
        ListType::Atomic | ListType::Set | ListType::Map(_) => {
            Ok(Value::List(List::Json { items, decl }))
        }
    }
}

#[cold]
fn invalid_list_type(name: &str) -> EvalError {
    EvalError::of(format_args!(
        "invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got {name}"
    ))
}

/// The error of reading an `Item::Wrong`. On the server this element is a Go error, which cannot be converted to
/// the declared type either.
///
/// Source: `UnstructuredToVal`, called with that Go error.
pub(super) fn wrong(decl: &Decl) -> EvalError {
    let expected = match &decl.kind {
        DeclKind::IntOrString | DeclKind::Opaque => return NOT_INT_OR_STRING,
        DeclKind::Object(_) | DeclKind::Map { .. } => return NOT_A_MAP,
        DeclKind::List { .. } => return NOT_A_LIST,
        DeclKind::Int => "int",
        DeclKind::Double => "float",
        DeclKind::Bool => "bool",
        DeclKind::String
        | DeclKind::Bytes
        | DeclKind::Date
        | DeclKind::DateTime
        | DeclKind::Duration => "string",
    };
    mismatch(expected, "*errors.errorString")
}

/// Converts what [`typed`] does not convert itself: null, strings that are parsed, and JSON of an
/// opaque type. All other JSON does not match its declaration, which is an error.
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
        DeclKind::IntOrString => Err(NOT_INT_OR_STRING),
        DeclKind::Object(_) | DeclKind::Map { .. } => Err(NOT_A_MAP),
        DeclKind::List { .. } => Err(NOT_A_LIST),
        DeclKind::Int => Err(unexpected("int", json)),
        DeclKind::Double => Err(unexpected("float", json)),
        DeclKind::Bool => Err(unexpected("bool", json)),
        DeclKind::String
        | DeclKind::Bytes
        | DeclKind::Date
        | DeclKind::DateTime
        | DeclKind::Duration => match json {
            Json::String(text) => formatted(text, &decl.kind),
            _ => Err(unexpected("string", json)),
        },
    }
}

/// Converts a string whose format has its own CEL type.
fn formatted<'a>(text: &'a str, kind: &DeclKind) -> Result<Value<'a>, EvalError> {
    let invalid =
        |what: &str, why: &dyn Display| EvalError::of(format_args!("Invalid {what} {text}: {why}"));
    match kind {
        DeclKind::Duration => Duration::parse(text)
            .map_or_else(|| Duration::parse_lenient(text), Ok)
            .map(Value::Duration)
            .map_err(|why| invalid("duration", &why)),
        DeclKind::Date => Timestamp::parse_date(text)
            .map(Value::Timestamp)
            .map_err(|why| invalid("date formatted string", &why)),
        DeclKind::DateTime => Timestamp::parse_date_time(text)
            .map(Value::Timestamp)
            .map_err(|why| invalid("date-time formatted string", &why)),
        DeclKind::Bytes => {
            base64::URL_SAFE.decode(text.as_bytes()).map(Value::bytes).map_err(|at| {
                invalid(
                    "byte formatted string",
                    &format_args!("illegal base64 data at input byte {at}"),
                )
            })
        }
        _ => Ok(Value::str(text)),
    }
}

fn unexpected(expected: &str, json: &Json) -> EvalError {
    mismatch(expected, go_type(json))
}

fn mismatch(expected: &str, got: &str) -> EvalError {
    EvalError::of(format_args!("invalid data, expected {expected}, got {got}"))
}

/// Converts a value that was added to a declared list to the declared type of the list's elements.
/// The server converts it to plain data, and that to a value of the declared type.
///
/// # Errors
/// If the plain data does not match the declaration. For example, a timestamp never matches the format
/// `date-time`, because its plain data is not a string.
pub(crate) fn retyped<'a>(value: &Value<'a>, decl: &'a Decl) -> Result<Value<'a>, EvalError> {
    match (&decl.kind, value) {
        (DeclKind::String | DeclKind::IntOrString, Value::String(_))
        | (DeclKind::Int | DeclKind::IntOrString, Value::Int(_))
        | (DeclKind::Bool, Value::Bool(_))
        | (DeclKind::Double, Value::Double(_))
        | (DeclKind::Opaque, _) => Ok(value.clone()),
        #[expect(clippy::cast_precision_loss, reason = "as Go converts int64 to float64")]
        (DeclKind::Double, Value::Int(i)) => Ok(Value::Double(*i as f64)),
        (
            DeclKind::Object(object) | DeclKind::Map { fields: Some(object), .. },
            Value::Map(Map::Object { entries, .. } | Map::Json { entries, .. } | Map::Raw(entries)),
        ) => Ok(Value::Map(Map::Object { entries, decl: object })),
        (
            DeclKind::Map { value, fields: None },
            Value::Map(Map::Object { entries, .. } | Map::Json { entries, .. } | Map::Raw(entries)),
        ) => Ok(Value::Map(Map::Json { entries, value })),
        (
            DeclKind::List { list_type, element: _ },
            Value::List(List::Json { items, .. } | List::Raw(items)),
        ) => list(items, decl, list_type),
        (DeclKind::Object(_) | DeclKind::Map { .. }, _) => Err(NOT_A_MAP),
        (DeclKind::List { .. }, _) => Err(NOT_A_LIST),
        (DeclKind::IntOrString, _) => Err(NOT_INT_OR_STRING),
        (DeclKind::Int, other) => Err(mismatch("int", go_type_of(other))),
        (DeclKind::Double, other) => Err(mismatch("float", go_type_of(other))),
        (DeclKind::Bool, other) => Err(mismatch("bool", go_type_of(other))),
        (
            DeclKind::String
            | DeclKind::Bytes
            | DeclKind::Date
            | DeclKind::DateTime
            | DeclKind::Duration,
            other,
        ) => Err(mismatch("string", go_type_of(other))),
    }
}

/// The Go type of a CEL value after the server has converted it to plain data.
pub(super) fn go_type_of(value: &Value<'_>) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Uint(_) => "uint64",
        Value::Double(_) => "float64",
        Value::String(_) | Value::Type(_) => "string",
        Value::Bytes(_) => "[]uint8",
        Value::Duration(_) => "time.Duration",
        Value::Timestamp(_) => "time.Time",
        Value::Null => "structpb.NullValue",
        Value::List(_) => "[]interface {}",
        Value::Map(_) => "map[string]interface {}",
        Value::Optional(_) | Value::Opaque(_) | Value::Unknown(_) => "<nil>",
    }
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

/// A JSON value without a declaration, as cel-go converts Go's plain maps, lists and scalars.
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
