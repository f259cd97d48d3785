use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "Example", version = "v1", kind = "Foo", cluster)]
struct FooSpec {
    a: String,
}

fn main() {}
