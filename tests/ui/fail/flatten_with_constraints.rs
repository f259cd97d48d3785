use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    x: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule("self.x > 1"))]
    #[serde(flatten)]
    a: Part,
}

fn main() {}
