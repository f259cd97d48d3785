use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, print_column(name = "A", type = "string", path = "spec.a"), print_column(name = "B", type = "string", path = ".spec[.a"))]
struct FooSpec {
    a: String,
}

fn main() {}
