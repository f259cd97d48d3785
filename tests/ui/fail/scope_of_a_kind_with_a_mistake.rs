use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced)]
struct FooSpec {
    #[crd(minimum = "one")]
    size: i32,
}

/// The stub of the kind has its scope, so the mistake above is the only error.
fn of_namespace<K: kube::Resource<Scope = kube::core::NamespaceResourceScope>>() {}

fn main() {
    of_namespace::<Foo>();
}
