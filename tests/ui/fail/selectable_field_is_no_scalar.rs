use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part {
    x: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster)]
struct FooSpec {
    #[crd(selectable)]
    a: Vec<String>,
    #[crd(selectable)]
    b: Part,
}

fn main() {}
