use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(namespaced, crate = ::crd_runtime)]
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(short_name = "s", selectable)]
struct Status {
    a: i32,
}

fn main() {}
