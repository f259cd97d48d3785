use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(min_length = 5, max_length = 3)]
    a: String,
}

fn main() {}
