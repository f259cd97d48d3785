use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Port {
    port: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Listener {
    ports: Vec<Port>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Gateway", namespaced)]
struct GatewaySpec {
    listener: Listener,
}

fn main() {}
