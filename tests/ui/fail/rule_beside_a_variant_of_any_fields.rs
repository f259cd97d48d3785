use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum OfAnything {
    Sized {
        #[crd(rule("self > 0"))]
        size: i32,
    },
    Other(Value),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Size {
    #[crd(rule("self > 0"))]
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum OfAMap {
    Sized { of: Size },
    Other(BTreeMap<String, Value>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum OfOpenFields {
    Sized { of: Size },
    Other {
        name: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
}

fn main() {}
