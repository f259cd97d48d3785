use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
struct WidgetSpec {
    parts: Vec<Part>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.names.all(x, x.size() < 9)"))]
struct Part {
    names: Vec<String>,
}

fn main() {}
