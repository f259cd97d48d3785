use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, conversion(webhook(service(namespace = "a", name = "b", path = "/a//b_c"))))]
struct FooSpec {
    a: String,
}

fn main() {}
