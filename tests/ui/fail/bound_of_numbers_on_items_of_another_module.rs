use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

mod other {
    #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize)]
    pub struct Name(String);
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(items(minimum = 1))]
    a: Vec<other::Name>,
    #[crd(values(values(max_items = 1)))]
    b: std::collections::BTreeMap<String, std::collections::BTreeMap<String, other::Name>>,
    #[crd(items(max_length = 5))]
    c: other::Name,
}

fn main() {}
