use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Port {
    port: i32,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Status {
    ready: bool,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Gateway", namespaced, status = Status)]
struct GatewaySpec {
    bare: Port,
    option: Option<Port>,
    list: Vec<Box<Port>>,
    map: BTreeMap<String, Port>,
    address: OsString,
    #[crd(list_type = "map", list_map_keys("port"))]
    keyed: Vec<Port>,
    backend: Backend,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Backend {
    Port(Port),
    Named { name: String },
}

fn main() {}
