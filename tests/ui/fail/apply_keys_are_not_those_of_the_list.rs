use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct CacheSpec {
    #[crd(list_type = "map", list_map_keys("name", "port"))]
    ports: Vec<Port>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(keys("name")))]
struct Port {
    name: String,
    port: i32,
}

fn main() {}
