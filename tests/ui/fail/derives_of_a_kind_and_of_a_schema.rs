use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

// `CustomResource` derives `CrdSchema` too.
#[derive(CustomResource, CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Both", namespaced)]
struct BothSpec {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Schema", namespaced, status = Status)]
struct SchemaSpec {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {}

fn main() {}
