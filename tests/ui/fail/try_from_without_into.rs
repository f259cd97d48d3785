use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(try_from = "String")]
struct Spec {
    a: String,
}

impl TryFrom<String> for Spec {
    type Error = String;
    fn try_from(a: String) -> Result<Self, String> {
        Ok(Self { a })
    }
}

fn main() {}
