use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    n: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(flatten)]
    #[crd(immutable, max_properties = 3, rule("self.n > 0"), title = "A part")]
    part: Part,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Choice {
    #[crd(max_length = 3)]
    A,
    B,
}

fn main() {}
