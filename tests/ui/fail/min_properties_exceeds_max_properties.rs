use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(min_properties = 5, max_properties = 3)]
    a: std::collections::BTreeMap<String, String>,
}

fn main() {}
