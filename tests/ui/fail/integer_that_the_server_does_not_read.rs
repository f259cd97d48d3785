#![deny(deprecated)]

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Sizes {
    bytes: u64,
    #[crd(items(maximum = 5))]
    few: Vec<u64>,
    #[crd(unchecked("no disk is as large"))]
    disk: u64,
    all: Vec<Option<usize>>,
}

fn main() {}
