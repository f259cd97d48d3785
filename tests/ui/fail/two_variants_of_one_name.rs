use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[allow(unreachable_patterns)]
enum Action {
    #[serde(rename = "start")]
    Begin(String),
    #[serde(rename = "start")]
    Start,
}

fn main() {}
