use crd_runtime::k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use crd_runtime::{CustomResource, TypeMeta};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Cart", namespaced)]
struct Cart {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    items: Option<Vec<String>>,
}

fn main() {}
