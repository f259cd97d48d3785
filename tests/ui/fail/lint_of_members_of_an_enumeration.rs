use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Phase {
    Pending,
    Running,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.phase != 'running'"), rule("self.phase in ['Pending', 'Done']"))]
struct Spec {
    phase: Phase,
}

fn main() {}
