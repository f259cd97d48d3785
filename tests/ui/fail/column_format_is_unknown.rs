use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, print_column(name = "A", type = "string", format = "int16", path = ".spec.a"))]
struct FooSpec {
    a: String,
}

fn main() {}
