use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    Fast,
    Slow,
}

type Maybe = Option<Mode>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(skip_serializing_if = "Option::is_none")]
    alias: Option<Maybe>,
    #[serde(skip_serializing_if = "Option::is_none")]
    once: Option<Mode>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Twice {
    #[serde(skip_serializing_if = "Option::is_none")]
    twice: Option<Option<i32>>,
}

fn main() {}
