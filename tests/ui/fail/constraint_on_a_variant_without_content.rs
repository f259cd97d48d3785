use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    #[crd(title = "fast")]
    Fast,
    Slow,
}

fn main() {}
