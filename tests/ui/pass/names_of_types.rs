//! Types may have the names that generated code uses for its own types and parameters.

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Names", namespaced, status = S)]
struct D {
    #[crd(selectable)]
    color: String,
    fields: Fields,
    k: K<F>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct S {
    #[crd(selectable)]
    fields: F,
    k: K<V>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Fields {
    #[crd(selectable)]
    name: String,
    v: V,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("has(self.value) || self.f == 'A'"))]
struct K<T> {
    value: T,
    #[crd(selectable)]
    f: F,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum F {
    A,
    B,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct V(Fields2);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Fields2 {
    #[crd(selectable)]
    name: String,
}

fn main() {
    let errors = crd_runtime::definition::validate(&Names::definition());
    assert!(errors.is_empty(), "{errors}");
}
