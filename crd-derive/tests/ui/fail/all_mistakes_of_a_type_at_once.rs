use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.a >"), titel = "x")]
struct Spec {
    #[crd(minimum = 5, maximum = 3)]
    a: i32,
    #[crd(pattern = "(")]
    b: String,
    #[crd(unique_items)]
    c: Vec<String>,
}

fn main() {}
