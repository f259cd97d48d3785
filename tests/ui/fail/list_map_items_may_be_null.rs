use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(list_type = "map", list_map_keys("name"))]
    ports: Vec<Option<Port>>,
    #[crd(list_type = "set")]
    units: Vec<()>,
    #[crd(list_type = "set")]
    names: Vec<Name>,
    #[crd(list_type = "set")]
    values: Vec<serde_json::Value>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(untagged)]
enum Name {
    Text(String),
    Nothing,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    name: String,
}

fn main() {}
