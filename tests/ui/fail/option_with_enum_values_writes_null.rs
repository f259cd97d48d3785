use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(enum_values("a", "b"))]
    a: Option<String>,
}

fn main() {}
