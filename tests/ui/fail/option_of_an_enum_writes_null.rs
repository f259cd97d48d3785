use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    a: Option<Mode>,
}

fn main() {}
