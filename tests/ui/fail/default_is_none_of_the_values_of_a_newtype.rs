use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(default = "Small")]
    size: Size,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(enum_values("S", "M", "L"))]
struct Size(String);

fn main() {}
