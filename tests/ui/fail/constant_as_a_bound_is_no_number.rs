use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

const TEXT: &str = "5";

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(maximum = TEXT)]
    a: i32,
}

fn main() {}
