use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(at_least_one_of("image", "archiv"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(flatten)]
    source: Source,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
struct Source {
    git: Option<String>,
    archive: Option<String>,
}

fn main() {}
