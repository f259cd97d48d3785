//! Derives in a crate without std, as far as it has the dependencies.
#![no_std]

extern crate alloc;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Disk {
    #[crd(enum_values("a", "b"))]
    pub name: String,
    #[crd(default = ["a"])]
    pub names: Vec<String>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Rack", namespaced, apply)]
pub struct RackSpec {
    pub size: i32,
    pub first: Box<Part>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
pub struct Part {
    pub size: i32,
}

fn main() {
    assert_eq!(Rack::crd().spec.group, "example.com");
    assert_eq!(Disk::schema().properties.unwrap().len(), 2);
}
