use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(scale(spec = ".spec.replicas", status = ".status.replicas"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    replicas: i32,
}

fn main() {}
