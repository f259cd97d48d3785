use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(exactly_one_of("http", "tcp"))]
struct Spec {
    http: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tcp: Option<String>,
}

fn main() {}
