use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(default = 1)]
    a: String,
    #[crd(default = "1")]
    b: i32,
    #[crd(default = 1.5)]
    c: i32,
}

fn main() {}
