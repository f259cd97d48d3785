use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(pattern = "^a(?=b)$")]
    a: String,
    #[crd(items(pattern = "a**"))]
    b: Vec<String>,
}

fn main() {}
