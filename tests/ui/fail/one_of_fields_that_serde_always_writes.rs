use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(exactly_one_of("a", "b"))]
struct Exactly {
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    #[serde(default)]
    b: Vec<String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(at_most_one_of("a", "b"))]
struct AtMost {
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    b: Option<String>,
}

fn main() {}
