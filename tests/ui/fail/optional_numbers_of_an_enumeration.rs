use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Level(#[crd(enum_values(1, 2, 3))] i32);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    level: Option<Level>,
    levels: Vec<Option<Level>>,
}

// `None` is not written.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Skipped {
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
}

fn main() {}
