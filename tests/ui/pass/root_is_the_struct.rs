use crd_runtime::{CustomResource, TypeMeta};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
#[serde(rename_all = "camelCase")]
struct Foo {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    host_port: String,
}

fn main() {}
