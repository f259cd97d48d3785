use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule("self.size() > 1", message = "a\nb"))]
    a: String,
}

fn main() {}
