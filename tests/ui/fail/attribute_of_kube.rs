use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Job", namespaced)]
struct JobSpec {
    name: String,
}

fn main() {}
