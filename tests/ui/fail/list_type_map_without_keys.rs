use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    x: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(list_type = "map")]
    a: Vec<Part>,
}

fn main() {}
