use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, label("a", "no blanks"), annotation("a//b", "c"), label("Example.com/a", "b"), annotation("Example.com/a", "b"))]
struct FooSpec {
    a: String,
}

fn main() {}
