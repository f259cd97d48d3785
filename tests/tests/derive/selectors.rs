//! A kind with selectable fields in all places, in a separate crate: the generated code causes no warnings.

#![deny(warnings, missing_docs, unreachable_pub, private_interfaces, private_bounds)]

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A kind.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, status = Status)]
#[crd(scale(spec = ".spec.replicas", status = ".status.replicas"), selectable(".spec.more.size"))]
pub struct FooSpec {
    #[crd(selectable)]
    status: bool,
    #[crd(selectable)]
    r#type: Type,
    replicas: i32,
    more: More,
}

/// What is there.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Status {
    #[crd(selectable)]
    replicas: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Type {
    One,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct More {
    size: i32,
}

#[test]
fn names_that_collide_are_distinguished() {
    let selector = Foo::fields().status().eq(true).and(Foo::fields().status_().replicas().ne(3));
    let selector = selector.and(Foo::fields().r#type().eq(Type::One));
    let selector = selector.and(Foo::fields().more_size().eq(3_i64));
    assert_eq!(
        selector.to_string(),
        "spec.status=true,status.replicas!=3,spec.type=One,spec.more.size=3"
    );
}
