use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(format = "int32")]
    a: String,
    #[crd(format = "uuid")]
    b: i32,
}

fn main() {}
