use crd_runtime::CustomResource;
use crd_runtime::k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
#[serde(rename_all = "camelCase")]
struct Foo {
    api_version: i32,
    kind: String,
    metadata: ObjectMeta,
    spec: i32,
}

fn main() {}
