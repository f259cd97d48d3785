use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(minimum = 1)]
enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(max_length = 5)]
#[serde(tag = "type")]
enum Source {
    Git { url: String },
    Local,
}

fn main() {}
