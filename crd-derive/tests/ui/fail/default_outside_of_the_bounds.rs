use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(minimum = 1, maximum = 3, default = 5)]
    a: i32,
    #[crd(max_length = 2, default = "abc")]
    b: String,
    #[crd(max_items = 1, default = ["a", "b"])]
    c: Vec<String>,
}

fn main() {}
