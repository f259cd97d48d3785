use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(selectable(".spec.template"))]
#[crd(selectable(".spec.weight"))]
#[crd(selectable(".spec.hosts"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    template: Template,
    weight: f64,
    hosts: Vec<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Template {
    replicas: i32,
    image: String,
    #[serde(default)]
    paused: bool,
}

fn main() {}
