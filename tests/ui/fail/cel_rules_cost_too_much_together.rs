use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced)]
struct FleetSpec {
    #[crd(max_items = 15)]
    pools: Vec<Pool>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("!self.name.contains('reserved one')"))]
#[crd(rule("!self.name.contains('reserved two')"))]
#[crd(rule("!self.name.contains('reserved three')"))]
#[crd(rule("!self.name.contains('reserved four')"))]
#[crd(rule("!self.name.contains('reserved five')"))]
#[crd(rule("!self.name.contains('reserved six')"))]
#[crd(rule("!self.name.contains('reserved seven')"))]
#[crd(rule("!self.name.contains('reserved eight')"))]
#[crd(rule("!self.name.contains('reserved nine')"))]
#[crd(rule("!self.name.contains('reserved ten')"))]
#[crd(rule("!self.name.contains('reserved eleven')"))]
struct Pool {
    name: String,
}

fn main() {}
