use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    ports: Keyed<Port>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Keyed<T> {
    #[crd(list_type = "map", list_map_keys("id"))]
    items: Vec<T>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Port {
    name: String,
}

fn main() {}
