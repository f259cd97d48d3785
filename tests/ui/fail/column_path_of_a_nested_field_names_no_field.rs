use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    template: Template,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Template {
    #[crd(print_column(name = "Image", path = ".spec.imgae"))]
    image: String,
}

fn main() {}
