use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(alias = "b")]
    a: String,
    #[serde(rename(serialize = "c", deserialize = "c"), alias = "d")]
    b: String,
}

fn main() {}
