use std::collections::BTreeMap;

use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Spec {
    #[crd(items(rule("self == oldSelf")))]
    hosts: Vec<String>,
    #[crd(items(values(immutable)))]
    labels: Vec<BTreeMap<String, String>>,
    #[crd(values(items(rule("self.size() >= oldSelf.size()"))))]
    zones: BTreeMap<String, Vec<String>>,
    // Neither the list of the inner list nor that inner list finds an old text.
    #[crd(items(items(rule("self.startsWith(oldSelf)"))))]
    paths: Vec<Vec<String>>,
    // The inner list finds its old item by its key, but is not found itself.
    #[crd(items(list_type = "map", list_map_keys = ["name"], items(rule("self.name == oldSelf.name"))))]
    ports: Vec<Vec<Port>>,
}

#[derive(CrdSchema)]
struct Port {
    name: String,
}

fn main() {}
