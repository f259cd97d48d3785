use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Job", namespaced)]
struct JobSpec {
    #[schemars(length(max = 3), regex(pattern = "^a$"))]
    a: String,
    #[x_kube(validation = "self > 1")]
    b: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Choice {
    #[schemars(rename = "a")]
    A {
        #[schemars(range(min = 1))]
        a: i32,
    },
}

fn main() {}
