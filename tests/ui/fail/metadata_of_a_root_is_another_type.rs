use crd_runtime::{CustomResource, TypeMeta};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
struct Job {
    #[serde(flatten)]
    types: TypeMeta<Self>,
    metadata: String,
}

fn main() {}
