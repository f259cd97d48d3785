//! Defaults are held against the formats and sizes of the field's type.

use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(format = "date-time")]
struct Moment(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(min_properties = 1)]
struct Labels(BTreeMap<String, String>);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Site {
    #[crd(default = "yesterday")]
    since: Moment,
    #[crd(default = serde_json::json!({}))]
    labels: Labels,
    #[crd(default = [1, 2, 3])]
    pair: [i32; 2],
}

fn main() {}
