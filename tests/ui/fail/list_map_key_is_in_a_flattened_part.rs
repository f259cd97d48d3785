use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(list_type = "map", list_map_keys("hostnmae"))]
    ports: Vec<Port>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    name: String,
    #[serde(flatten)]
    address: Address,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct Address {
    host_name: String,
}

fn main() {}
