use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("Unknown{} == Unknown{}"), rule("google.protobuf.Duration{second: 1} == duration('1s')"))]
struct Spec {
    a: i32,
}

fn main() {}
