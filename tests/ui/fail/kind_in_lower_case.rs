#![allow(non_camel_case_types)]

use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "foo", namespaced)]
struct FooSpec {
    a: i32,
}

fn main() {}
