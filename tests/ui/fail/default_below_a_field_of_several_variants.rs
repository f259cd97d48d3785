use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Size {
    #[crd(default = 1)]
    size: i32,
    unit: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Plain {
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Large {
    #[crd(default = 100)]
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum BesideOpenFields {
    Sized {
        of: Size,
        name: String,
    },
    Other {
        host: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum BesideAnything {
    Sized {
        of: Size,
    },
    Other {
        /// Of any type.
        of: Value,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Without {
    Sized { of: Size },
    Plain { of: Plain },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum InLists {
    Sized { of: Vec<Size> },
    Plain { of: Vec<Plain> },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Two {
    Sized { of: Size },
    Large { of: Large },
}

// Both have the same default, or one has no such field.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Same {
    Sized { of: Size },
    Named { of: Size, name: String },
    Other { name: String, rest: Plain },
}

fn main() {}
