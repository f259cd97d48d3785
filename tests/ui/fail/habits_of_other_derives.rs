use crd_runtime::CustomResource;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced = false, shortname = "j")]
struct JobSpec {
    #[crd(validation("self > 1"))]
    a: i32,
    #[crd(rule("self > 1", "must be more than one"))]
    b: i32,
    #[crd(regex = "^a$", required)]
    c: String,
    #[crd(lenght(min = 1))]
    d: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Bucket", namespaced)]
struct Bucket {
    metadata: ObjectMeta,
    name: String,
}

fn main() {}
