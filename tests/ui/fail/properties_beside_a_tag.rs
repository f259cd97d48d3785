use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Target {
    Labels(#[crd(min_properties = 1, max_properties = 3)] BTreeMap<String, Value>),
    #[crd(max_properties = 4)]
    Others(BTreeMap<String, Value>),
}

fn main() {}
