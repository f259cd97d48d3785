use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(max_items = 1)]
    a: std::collections::BTreeMap<String, String>,
}

fn main() {}
