//! Flattened parts that serde reads from objects without them.

use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Whole {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
    #[serde(flatten, skip_serializing_if = "Defaulted::is_default")]
    defaulted: Defaulted,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct WithRest {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
    #[serde(flatten, skip_serializing_if = "BTreeMap::is_empty")]
    rest: BTreeMap<String, Value>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "kind")]
struct Defaulted {
    #[serde(default)]
    b: i32,
}

impl Defaulted {
    fn is_default(&self) -> bool {
        self.b == 0
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[serde(flatten)]
    choice: Option<Choice>,
    c: i32,
}

/// serde reads both of its fields, so none is left as an unknown one.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", content = "content")]
enum Choice {
    D { d: i32 },
    E { e: i32 },
}

#[test]
fn absent_parts_are_read_back() {
    let whole = Whole { part: None, defaulted: Defaulted { b: 0 } };
    let written = serde_json::to_value(&whole).unwrap();
    assert_eq!(written, json!({}));
    serde_json::from_value::<Whole>(written).unwrap();
    let rest = WithRest { part: None, rest: BTreeMap::new() };
    let written = serde_json::to_value(&rest).unwrap();
    assert_eq!(written, json!({}));
    serde_json::from_value::<WithRest>(written).unwrap();
    for object in [
        json!({"c": 1}),
        json!({"c": 1, "type": "D"}),
        json!({"c": 1, "content": {"d": 1}}),
        json!({"c": 1, "type": "D", "content": {"e": 1}}),
        json!({"c": 1, "type": "E", "content": {"e": 1}}),
    ] {
        serde_json::from_value::<Strict>(object).unwrap();
    }
}
