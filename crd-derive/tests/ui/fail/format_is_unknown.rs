use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(format = "rfc3339")]
    time: String,
    #[crd(format = "phone")]
    other: String,
}

fn main() {}
