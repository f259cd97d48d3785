use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(rename(serialize = "x", deserialize = "y"))]
    a: String,
}

fn main() {}
