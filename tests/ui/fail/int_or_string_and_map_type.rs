use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(int_or_string, map_type = "granular")]
    a: serde_json::Value,
    #[crd(int_or_string, list_type = "atomic")]
    b: serde_json::Value,
}

fn main() {}
