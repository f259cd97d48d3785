use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

type Rest = BTreeMap<String, serde_json::Value>;

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    a: i32,
    #[serde(flatten)]
    rest: Rest,
}

fn main() {}
