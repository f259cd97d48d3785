use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced, status = FleetStatus)]
struct FleetSpec {
    pools: Vec<Pool>,
    #[crd(max_items = 16)]
    few: Vec<Cheap>,
    #[crd(items(rule("self.contains('abcdefghijk')")))]
    hosts: Vec<String>,
    by_name: BTreeMap<String, Name>,
    #[crd(max_length = 16)]
    name: Name,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct FleetStatus {
    #[serde(default)]
    pools: BTreeMap<String, Pool>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Pool {
    name: String,
    #[crd(max_items = 100)]
    volumes: Vec<Volume>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.tags.all(t, t != self.class) && self.class != 'none'"))]
struct Volume {
    #[crd(max_length = 64)]
    class: String,
    #[crd(max_items = 10, items(max_length = 32))]
    tags: Vec<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.low < self.high"))]
struct Cheap {
    low: i32,
    high: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.matches('^[a-z]+$')"))]
struct Name(String);

fn main() {}
