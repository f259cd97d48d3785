use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(print_column(name = "It", type = "integer", path = ".spec.template.replcas"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    template: Template,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Template {
    replicas: i32,
    image: String,
    #[serde(default)]
    paused: bool,
}

fn main() {}
