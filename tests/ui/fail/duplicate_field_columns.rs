use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
struct FooSpec {
    #[crd(print_column(name = "A"))]
    a: String,
    #[crd(print_column(name = "A"))]
    b: String,
}

fn main() {}
