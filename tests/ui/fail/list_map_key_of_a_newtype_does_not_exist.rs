use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(list_type = "map", list_map_keys("nmae"))]
struct Ports(Vec<Port>);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Port {
    name: String,
    port: u16,
}

fn main() {}
