use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(minimum = 5, maximum = 3)]
    a: i32,
    #[crd(minimum = -1.5, maximum = -2.5)]
    b: f64,
}

fn main() {}
