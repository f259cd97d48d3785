use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(rule("self.minReplicas <= self.maxReplicas", field_path = ".minReplcas"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    min_replicas: i32,
    max_replicas: i32,
}

fn main() {}
