use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pair(String, i32);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    pairs: Vec<(String, i32)>,
}

fn main() {}
