use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(min_items = 5, max_items = 3)]
    a: Vec<String>,
}

fn main() {}
