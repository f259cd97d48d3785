use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum External {
    Unit,
    Data { a: u8 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    Text(String),
}

type Lists = BTreeMap<String, Vec<Untagged>>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pair(External, External);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    a: Vec<External>,
    b: Lists,
}

fn main() {}
