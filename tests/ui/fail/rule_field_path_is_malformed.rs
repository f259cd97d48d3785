use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.a.size() > 1", field_path = "a"), rule("self.a.size() > 1", field_path = ".a[0]"))]
struct Spec {
    a: String,
}

fn main() {}
