use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(items(max_length = 1))]
    a: std::collections::BTreeMap<String, String>,
    #[crd(values(max_length = 1))]
    b: Vec<String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct OfOtherTypes {
    #[crd(values(max_length = 1))]
    c: Objects,
    #[crd(values(max_length = 1))]
    d: MapsOrNumbers,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Objects {
    Of { a: String },
    OrMaps(std::collections::BTreeMap<String, String>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum MapsOrNumbers {
    Maps(std::collections::BTreeMap<String, String>),
    Numbers(i32),
}

fn main() {}
