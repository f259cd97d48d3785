use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(map_type = "atom")]
    a: std::collections::BTreeMap<String, String>,
}

fn main() {}
