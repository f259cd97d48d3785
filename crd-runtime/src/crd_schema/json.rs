//! `serde_json::Value` and its parts: JSON without a schema of its content.

use serde_json::{Map, Number, Value};

use super::{Kind, schema_of};
use crate::builder::{any, open_object, typed};

schema_of! {
    Value: Kind::Any => any();
    Map<String, Value>: Kind::Map => open_object();
    Number: Kind::Number => typed("number");
}
