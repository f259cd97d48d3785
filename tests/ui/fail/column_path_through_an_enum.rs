use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(print_column(name = "It", type = "string", path = ".spec.source.git.url"))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    source: Source,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum Source {
    Git { repository: String, branch: String },
    Archive { url: String },
}

fn main() {}
