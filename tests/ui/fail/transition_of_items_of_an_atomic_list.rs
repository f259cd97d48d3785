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
}

fn main() {}
