use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(root_rule("self.spec.replicas > 0", field_path = ".spec.replcas"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    replicas: i32,
}

fn main() {}
