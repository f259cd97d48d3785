use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    A { a: i32 },
    B { b: i32 },
}

// The map reads `a` too.
#[derive(CrdSchema, Serialize, Deserialize)]
struct MapFirst {
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
    #[serde(flatten)]
    part: Part,
}

// serde does not take the fields of the enum out of the object.
#[derive(CrdSchema, Serialize, Deserialize)]
struct BesideAnEnum {
    #[serde(flatten)]
    tagged: Tagged,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

// serde reads every object as the first variant.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Small { size: Option<i32> },
    Large { limit: i32 },
}

fn main() {}
