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

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    One { n: i32 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Keyed {
    One { n: i32 },
    Two { n: i32 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BesideEnums {
    #[serde(flatten)]
    tagged: Tagged,
    #[serde(flatten)]
    keyed: Option<Keyed>,
}

fn main() {}
