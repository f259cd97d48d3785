use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Tab", cluster)]
#[crd(root_rule("self.metadata.labels.app == self.spec.name"))]
struct TabSpec {
    name: String,
}

fn main() {}
