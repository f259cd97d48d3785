use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(items(rule("self.replicas > 0", field_path = ".replcas")))]
    templates: Vec<Template>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Template {
    replicas: i32,
    image: String,
    #[serde(default)]
    paused: bool,
}

fn main() {}
