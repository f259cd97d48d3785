//! Rules inside a list that is one variant of several types: the server counts the elements of a value without a type
//! as one.

use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced)]
struct FleetSpec {
    mixed: Mixed,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(untagged)]
enum Mixed {
    Object { enabled: bool },
    List(#[crd(max_items = 1000)] Vec<Name>),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self == self"))]
struct Name(String);

fn main() {
    let errors = definition::validate(&Fleet::crd());
    assert!(errors.is_empty(), "{errors}");
}
