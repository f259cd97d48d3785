//! Rules inside an enum that rules cannot see, without rules above it.

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced)]
struct FleetSpec {
    #[crd(rule("self > 0"))]
    beside: i32,
    mixed: Mixed,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(untagged)]
enum Mixed {
    Object {
        #[crd(immutable)]
        enabled: bool,
    },
    Number(u32),
}

fn main() {}
