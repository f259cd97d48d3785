use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
struct WidgetSpec {
    #[crd(selectable)]
    #[serde(rename = "app.name")]
    name: String,
}

fn main() {}
