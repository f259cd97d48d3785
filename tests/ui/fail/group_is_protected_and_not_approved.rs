use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "apps.k8s.io", version = "v1", kind = "Foo", cluster, annotation("api-approved.kubernetes.io", "yes"))]
struct FooSpec {
    a: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "apps.k8s.io", version = "v1", kind = "Bar", cluster, annotation("api-approved.kubernetes.io", "unapproved, an experiment"))]
struct BarSpec {
    a: String,
}

fn main() {}
