use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Source {
    Labels(std::collections::BTreeMap<String, String>),
    Name(String),
}

fn main() {}
