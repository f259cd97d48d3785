use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(minimum = -1)]
    a: u8,
    #[crd(maximum = 256)]
    b: Option<u8>,
}

fn main() {}
