//! Defaults are held against the patterns, formats and rules of the field's type.

use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(pattern = "^[a-z]([-a-z0-9]*[a-z0-9])?$")]
struct Name(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(format = "date-time")]
struct Moment(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self % 2 == 0"))]
struct Even(i32);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self < 100"))]
struct FewAndEven(Even);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(min_properties = 1)]
struct Labels(BTreeMap<String, String>);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Site {
    #[crd(default = "Web")]
    name: Name,
    #[crd(default = "yesterday")]
    since: Moment,
    #[crd(default = 3)]
    even: Even,
    #[crd(default = 5)]
    few: FewAndEven,
    #[crd(default = ["a", "-"])]
    names: Vec<Name>,
    #[crd(default = serde_json::json!({}))]
    labels: Labels,
    #[crd(default = [1, 2, 3])]
    pair: [i32; 2],
    #[crd(default = "web-0")]
    fine: Name,
    #[crd(default = 102)]
    many: FewAndEven,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Page {
    #[crd(default = serde_json::json!({"name": "A", "since": "2024-01-01T00:00:00Z", "even": 2, "few": 2, "names": [], "labels": {"a": "b"}, "pair": [1, 2], "fine": "a", "many": 2}))]
    site: Site,
}

fn main() {}
