use crd_runtime::client::Selector;
use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, status = FooStatus)]
struct FooSpec {
    #[crd(selectable)]
    color: String,
    #[crd(selectable)]
    size: i32,
    image: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct FooStatus {
    replicas: i32,
}

fn not_selectable() -> Selector<Foo> {
    Foo::fields().image().eq("nginx")
}

fn of_another_type() -> Selector<Foo> {
    Foo::fields().size().eq("3")
}

fn of_a_part_without_any() {
    let _ = Foo::fields().status();
}

fn main() {}
