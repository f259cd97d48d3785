use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced)]
struct FleetSpec {
    /// There is no rule above it.
    free: Mixed,
    typed: Typed,
    #[crd(rule("self.size() < 9"))]
    maps: BTreeMap<String, Few>,
    /// The rule above is that by which `size` remains.
    immutable: Immutable,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.a != self.b"))]
struct Typed {
    a: i32,
    b: i32,
    #[crd(max_properties = 3)]
    mixed: BTreeMap<String, Mixed>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Few {
    few: Mixed,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Immutable {
    #[crd(immutable)]
    size: Option<String>,
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

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Other", namespaced, root_rule("self.metadata.name != 'a'"))]
struct OtherSpec {
    mixed: Mixed,
}

fn main() {}
