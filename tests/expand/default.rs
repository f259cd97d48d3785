use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
pub struct Limits {
    #[crd(default)]
    #[serde(default = "retries")]
    pub retries: u8,
    #[crd(default = ["a", "b"])]
    pub zones: Vec<String>,
}

fn retries() -> u8 {
    3
}
