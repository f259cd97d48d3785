//! `serde_json::Value` and its parts: JSON without a schema of its content.

use serde_json::{Map, Number, Value};

use super::{ShapeKind, schema_of};
use crate::builder::{any, open_object, typed};

schema_of! {
    Value: ShapeKind::Any => any();
    Map<String, Value>: ShapeKind::Map => open_object();
    Number: ShapeKind::Number => typed("number");
}
