use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(max_length = 3)]
enum Level {
    #[serde(rename = "automatic")]
    Automatic,
    Fixed { percent: i32 },
    #[serde(untagged)]
    Named(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(pattern = "^[a-z]*$")]
enum Mode {
    Auto,
    #[serde(other)]
    Unknown,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Size {
    Small,
    #[serde(untagged)]
    Named(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(min_length = 6)]
    size: Size,
    #[crd(max_length = 63)]
    fits: Size,
}

fn main() {}
