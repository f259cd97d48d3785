use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(list_type = "map", list_map_keys("nmae"))]
    ports: Ports,
}

type Ports = Vec<Port>;

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    name: String,
    port: u16,
}

fn main() {}
