use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum External {
    Unit,
    Data { a: u8 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Data { a: u8 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum IntOrString {
    Int(i32),
    Text(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum OrNull {
    Flag(bool),
    Text(String),
    Null,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Units {
    A,
    B,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Objects {
    A { a: u8 },
    B(Vec<u8>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    optional: Vec<Option<External>>,
    mapped: BTreeMap<String, External>,
    internal: Vec<Internal>,
    int_or_string: Vec<IntOrString>,
    or_null: Vec<OrNull>,
    units: Vec<Units>,
    objects: Vec<Objects>,
    any: Vec<serde_json::Value>,
}

#[test]
fn elements_have_the_types_that_enums_have() {
    let schema = serde_json::to_value(Spec::schema()).unwrap();
    let properties = &schema["properties"];
    assert_eq!(properties["int_or_string"]["items"]["x-kubernetes-int-or-string"], true);
    assert_eq!(properties["units"]["items"]["enum"], serde_json::json!(["A", "B"]));
    assert_eq!(properties["any"]["items"]["x-kubernetes-preserve-unknown-fields"], true);
}
