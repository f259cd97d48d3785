use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, status = Status, apply)]
struct CacheSpec {
    ports: Option<Vec<Port>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    ready: bool,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
enum Action {
    Open { port: Port },
    Close(Port),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    port: i32,
}

fn main() {}
