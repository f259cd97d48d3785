use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
#[crd(rule("self.value == 'a'"))]
enum Setting {
    Flag { value: bool },
    Text { value: String },
}

fn main() {}
