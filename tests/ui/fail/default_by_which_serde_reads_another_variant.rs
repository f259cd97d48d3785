use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Size {
    #[serde(default)]
    size: u64,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Mode {
    #[crd(default = "fast")]
    mode: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum ByFields {
    Mode {
        #[crd(default = "fast")]
        mode: String,
        note: Option<String>,
    },
    Size(Size),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum ByType {
    Mode(Mode),
    Size(Size),
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Keyed {
    Size(Size),
    #[serde(untagged)]
    Mode(Mode),
}

fn main() {}
