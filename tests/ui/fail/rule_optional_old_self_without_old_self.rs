use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(rule("self.size() > 1", optional_old_self = true))]
    a: String,
}

fn main() {}
