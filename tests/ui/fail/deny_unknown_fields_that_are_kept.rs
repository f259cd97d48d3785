use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(preserve_unknown_fields)]
#[serde(deny_unknown_fields)]
struct Spec {
    a: String,
}

fn main() {}
