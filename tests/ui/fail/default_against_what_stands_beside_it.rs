use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(pattern = "^[a-z]+$", default = "A1")]
    pattern: String,
    #[crd(format = "date-time", default = "yesterday")]
    format: String,
    #[crd(rule("self > 3"), default = 3)]
    rule: i32,
    #[crd(items(pattern = "^a"), default = ["a", "b"])]
    items: Vec<String>,
    #[crd(enum_values("one", "two"), default = "three")]
    values: String,
}

fn main() {}
