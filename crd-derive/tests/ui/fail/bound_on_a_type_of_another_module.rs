use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    x: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(minimum = 1)]
    a: Part,
}

fn main() {}
