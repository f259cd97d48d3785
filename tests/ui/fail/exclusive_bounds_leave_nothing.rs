use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(minimum = 3, maximum = 3, exclusive_minimum)]
    a: i32,
}

fn main() {}
