use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(list_type = "map", list_map_keys("name"))]
    ports: Vec<String>,
}

fn main() {}
