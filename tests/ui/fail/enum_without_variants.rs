use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Never {}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Skipped {
    #[serde(skip)]
    A,
}

fn main() {}
