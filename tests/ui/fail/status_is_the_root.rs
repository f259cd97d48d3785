use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Status", namespaced, status = Status)]
struct StatusSpec {
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    size: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Disk", namespaced, status = Disk)]
struct DiskSpec {
    size: i32,
}

fn main() {}
