use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(default = ["a", "bcd", 1], items(max_length = 2))]
    a: Vec<String>,
    #[crd(default = [[1], [300]])]
    b: Vec<Vec<u8>>,
    #[crd(default = ["a", "a"], list_type = "set")]
    c: Vec<String>,
}

fn main() {}
