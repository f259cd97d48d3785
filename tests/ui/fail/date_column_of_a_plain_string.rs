use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
#[crd(print_column(name = "Started", type = "date", path = ".spec.started"))]
struct JobSpec {
    started: String,
    #[crd(print_column(type = "date"))]
    ended: Option<String>,
}

fn main() {}
