use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(items(max_length = 1))]
    a: std::collections::BTreeMap<String, String>,
    #[crd(values(max_length = 1))]
    b: Vec<String>,
}

fn main() {}
