use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(default = "10")]
    percent: Percent,
    #[crd(default = 1)]
    action: Action,
    #[crd(default = true)]
    size: Size,
    #[crd(default = 0.5)]
    half: Percent,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Percent(u8);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Size(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Action {
    Delete,
    Scan,
}

fn main() {}
