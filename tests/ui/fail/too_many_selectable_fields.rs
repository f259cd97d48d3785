use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", cluster, selectable(".spec.f0"), selectable(".spec.f1"), selectable(".spec.f2"), selectable(".spec.f3"), selectable(".spec.f4"), selectable(".spec.f5"), selectable(".spec.f6"), selectable(".spec.f7"), selectable(".spec.f8"))]
struct FooSpec {
    a: String,
}

fn main() {}
