use std::collections::BTreeMap;
use std::time::Duration;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

// serde reads the object before it knows the type of the keys.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Flat {
    a: i32,
    #[serde(flatten)]
    weights: Weights,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Weights {
    weights: BTreeMap<u8, String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct OnlyAMap {
    #[serde(flatten)]
    weights: BTreeMap<u8, i32>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    None,
    Some { nested: Vec<Weights> },
}

// `(0, 5)` is written as `[5]`.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Pair(i32, #[serde(default, skip_serializing_if = "is_zero")] i32);

#[derive(CrdSchema, Serialize, Deserialize)]
enum Content {
    Text(#[serde(skip_serializing_if = "Option::is_none")] Option<String>),
    Nothing,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Half {
    Both,
    #[serde(skip_deserializing)]
    Written,
    #[serde(skip_serializing)]
    Read { a: i32 },
}

// The map reads `seen` and `kind` too.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Rest {
    #[serde(skip_deserializing)]
    seen: i32,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "kind")]
struct Typed {
    a: i32,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

// The server adds `level` to objects of `Other`.
#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(default = "Low")]
enum Level {
    Low,
    High,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Leveled {
    Level { level: Level },
    Other { x: i32 },
}

// `[1, 2]` is a duration.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Delay {
    Time(Duration),
    Steps((u32, u32)),
}

// 0 is omitted, and the server makes it 5.
#[derive(CrdSchema, Serialize, Deserialize, Default)]
#[serde(default)]
struct Retries {
    #[crd(default = 5)]
    #[serde(skip_serializing_if = "is_zero")]
    count: i32,
}

fn main() {}
