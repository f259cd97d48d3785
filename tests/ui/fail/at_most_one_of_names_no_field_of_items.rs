use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(items(at_most_one_of("git", "archiv")))]
    sources: Vec<Source>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
struct Source {
    git: Option<String>,
    archive: Option<String>,
}

fn main() {}
