use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, plural = "foos", plural = "fooz")]
struct FooSpec {
    a: String,
}

fn main() {}
