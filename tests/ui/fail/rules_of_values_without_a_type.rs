use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule("self == oldSelf"))]
    any: serde_json::Value,
    #[crd(immutable)]
    frozen: serde_json::Value,
    #[crd(rule("self == 1"))]
    choice: Choice,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Choice {
    Number(i32),
    List(Vec<i32>),
}

fn main() {}
