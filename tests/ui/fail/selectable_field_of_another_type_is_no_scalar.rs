use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(selectable)]
    template: Template,
    #[crd(selectable)]
    weight: Weight,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Template {
    replicas: i32,
    image: String,
    #[serde(default)]
    paused: bool,
}

type Weight = f64;

fn main() {}
