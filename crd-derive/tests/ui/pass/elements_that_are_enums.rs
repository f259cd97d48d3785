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

fn main() {}
