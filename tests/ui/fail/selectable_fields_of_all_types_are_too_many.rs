use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(selectable)]
    f0: String,
    #[crd(selectable)]
    f1: String,
    #[crd(selectable)]
    f2: String,
    #[crd(selectable)]
    f3: String,
    #[crd(selectable)]
    f4: String,
    nested: Nested,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Nested {
    #[crd(selectable)]
    g0: String,
    #[crd(selectable)]
    g1: String,
    #[crd(selectable)]
    g2: String,
    #[crd(selectable)]
    g3: String,
}

fn main() {}
