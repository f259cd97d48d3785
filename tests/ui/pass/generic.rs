use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(bound = "T: Serialize + serde::de::DeserializeOwned")]
struct Wrapper<T> {
    items: Vec<T>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    a: Wrapper<String>,
    b: Wrapper<Wrapper<i32>>,
}

fn main() {}
