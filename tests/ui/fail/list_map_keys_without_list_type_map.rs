use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    x: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(list_map_keys("x"))]
    a: Vec<Part>,
    #[crd(list_type = "set", list_map_keys("x"))]
    b: Vec<Part>,
}

fn main() {}
