use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(enum_values("a", "b"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Option<String>>,
}

fn main() {}
