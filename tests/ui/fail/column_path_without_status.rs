use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(print_column(name = "It", type = "string", path = ".status.phase"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    image: String,
}

fn main() {}
