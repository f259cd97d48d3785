use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(default = f64::INFINITY)]
    infinite: f64,
    #[crd(default)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    none: Option<i32>,
    #[crd(default = ["a", "b", "a"])]
    set: BTreeSet<String>,
    #[crd(default = 5)]
    #[serde(default, skip_serializing_if = "is_zero")]
    number: i32,
    #[crd(default = ["a"])]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<String>,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

fn main() {}
