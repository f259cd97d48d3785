use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

type Names = Vec<String>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    a: Names,
}

fn main() {}
