use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part {
    #[crd(print_column)]
    image: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
struct JobSpec {
    a: Part,
    b: Part,
}

fn main() {}
