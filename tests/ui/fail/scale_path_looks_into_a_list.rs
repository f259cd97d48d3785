use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, scale(spec = ".spec.a[0]", status = ".status.replicas"))]
struct FooSpec {
    a: String,
}

fn main() {}
