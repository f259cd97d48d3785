use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "Example", version = "V1", kind = "Foo", namespaced, cluster, scale(spec = ".a", status = ".b"))]
struct FooSpec {
    #[crd(minimum = 5, maximum = 3)]
    a: i32,
    #[crd(pattern = "(")]
    b: String,
}

fn main() {}
