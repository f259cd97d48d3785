use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule("self.size() > 1\n&& self.size() < 3"))]
    a: String,
}

fn main() {}
