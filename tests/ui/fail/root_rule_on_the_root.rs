use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, root_rule("self.a == 1"))]
struct FooSpec {
    #[serde(flatten)]
    type_meta: crd_runtime::TypeMeta<Self>,
    metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    a: i32,
}

fn main() {}
