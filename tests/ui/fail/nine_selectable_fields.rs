use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
struct JobSpec {
    #[crd(selectable)]
    a: String,
    #[crd(selectable)]
    b: String,
    #[crd(selectable)]
    c: String,
    #[crd(selectable)]
    d: String,
    #[crd(selectable)]
    e: String,
    #[crd(selectable)]
    f: String,
    #[crd(selectable)]
    g: String,
    #[crd(selectable)]
    h: String,
    #[crd(selectable)]
    i: String,
}

fn main() {}
