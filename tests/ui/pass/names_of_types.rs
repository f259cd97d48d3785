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

mod foreign {
    use serde::{Deserialize, Serialize};

    /// Has the name of a type of std, which does not matter for a field with another schema.
    #[derive(Serialize, Deserialize, Clone, Debug)]
    pub struct Vec<T>(T);
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Replaced {
    #[crd(schema_with = crd_runtime::crd_schema::any)]
    list: Vec<i32>,
    #[crd(schema_with = crd_runtime::crd_schema::open_list, max_items = 3)]
    bounded: Vec<i32>,
    #[crd(schema_as = i32)]
    number: Vec<i32>,
}

use foreign::Vec;

/// The name of its test begins with a digit.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Disk", namespaced, root = _1Disk)]
struct DiskSpec {
    size: i32,
}

/// A macro that hides one of std.
macro_rules! line {
    () => {
        compile_error!("expanded")
    };
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[allow(non_camel_case_types)]
#[crd(rule("self.size > 1"))]
struct r#try {
    size: i32,
}

fn main() {
    assert_eq!(<r#try as crd_runtime::schemars::JsonSchema>::schema_name(), "try");
    let errors = crd_runtime::definition::validate(&Names::definition());
    assert!(errors.is_empty(), "{errors}");
}
