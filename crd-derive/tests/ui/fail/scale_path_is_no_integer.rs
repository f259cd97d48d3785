use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[crd(scale(spec = ".spec.replicas", status = ".status.replicas"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    replicas: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct WidgetStatus {
    replicas: f64,
}

fn main() {}
