use crd_runtime::{CrdSchema, CustomResource, TypeMeta};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    ready: bool,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Other {
    ready: bool,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Without", namespaced, status = Status)]
struct Without {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Required", namespaced, status = Status)]
struct Required {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    status: Status,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Differs", namespaced, status = Status)]
struct Differs {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    status: Option<Other>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Kind", namespaced)]
struct Kind {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    kind: String,
}

fn main() {}
