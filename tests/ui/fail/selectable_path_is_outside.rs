use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, selectable(".metadata.name"), selectable("spec.a"), selectable(".spec.a[0]"))]
struct FooSpec {
    a: String,
}

fn main() {}
