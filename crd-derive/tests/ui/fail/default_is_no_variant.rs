use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(default = "delete")]
    action: Action,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Action {
    Delete,
    Scan,
}

fn main() {}
