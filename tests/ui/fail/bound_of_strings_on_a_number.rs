use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(max_length = 1)]
    a: i32,
    #[crd(pattern = "a")]
    b: bool,
}

fn main() {}
