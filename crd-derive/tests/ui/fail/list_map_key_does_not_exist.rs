use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(list_type = "map", list_map_keys("nmae"))]
    a: Vec<Part>,
}

fn main() {}
