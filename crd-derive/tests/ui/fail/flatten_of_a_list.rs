use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

type List = Vec<String>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(flatten)]
    a: List,
}

fn main() {}
