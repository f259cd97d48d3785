//! Derives in a crate without std, as far as it has the dependencies.
#![no_std]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Disk {
    #[crd(enum_values("a", "b"))]
    pub name: String,
    #[crd(default = ["a"])]
    pub names: Vec<String>,
}

fn main() {
    assert_eq!(Disk::schema().properties.unwrap().len(), 2);
}
