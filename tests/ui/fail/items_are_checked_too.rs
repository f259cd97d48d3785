use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(items(minimum = 5, maximum = 3))]
    a: Vec<i32>,
    #[crd(values(items(max_length = 1)))]
    b: std::collections::BTreeMap<String, Vec<i32>>,
}

fn main() {}
