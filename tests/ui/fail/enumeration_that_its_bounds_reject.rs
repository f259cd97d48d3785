use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    On,
    Always,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(pattern = "^[a-z]+$")]
enum Lower {
    On,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(pattern = "^[a-z]+$")]
#[serde(untagged)]
enum ModeOrText {
    Mode(Mode),
    Text(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum ModeOrNumber {
    Mode(Mode),
    Number(i32),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(max_length = 3)]
    mode_or_number: ModeOrNumber,
    #[crd(max_length = 3)]
    mode: Mode,
    #[crd(min_length = 3)]
    other: Mode,
    #[crd(pattern = "^[a-z]+$")]
    third: Mode,
}

fn main() {}
