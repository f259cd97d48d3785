//! A field of a flattened part that serde always writes, so that no other can be alone.
use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    #[serde(default)]
    paths: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(exactly_one_of("paths", "port"), at_most_one_of("host", "port"))]
struct Spec {
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[serde(flatten)]
    part: Part,
}

fn main() {}
