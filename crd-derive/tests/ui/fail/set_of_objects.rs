use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(list_type = "set")]
    ports: Vec<Port>,
    #[crd(list_type = "set")]
    sets: Vec<std::collections::BTreeSet<String>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    name: String,
}

fn main() {}
