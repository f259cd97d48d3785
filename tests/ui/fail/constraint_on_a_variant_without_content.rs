use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    #[crd(title = "fast")]
    Fast,
    Slow,
    #[crd(schema_with = crd_runtime::crd_schema::any)]
    Any,
}

fn main() {}
