use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(skip_serializing_if = "String::is_empty")]
    a: String,
    #[serde(skip_serializing)]
    b: i32,
}

fn main() {}
