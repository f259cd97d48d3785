use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(enum_values(1, 5, 9), maximum = 5)]
    a: i32,
    #[crd(enum_values("a", "bcd"), max_length = 2)]
    b: String,
}

fn main() {}
