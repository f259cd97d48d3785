use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(int_or_string, preserve_unknown_fields)]
    a: serde_json::Value,
}

fn main() {}
