use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    name: String,
    #[serde(flatten)]
    a: std::collections::BTreeMap<String, String>,
}

fn main() {}
