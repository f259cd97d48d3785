use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[crd(print_column(name = "Source", type = "string", path = ".spec.source.image"))]
struct WidgetSpec {
    source: Source,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
enum Source {
    Git { url: String, branch: String },
    Http { url: String, port: u16 },
}

fn main() {}
