//! `unchecked` keeps rules that the server takes and that never hold.

use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Phase {
    Pending,
    Running,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
#[crd(rule("self.phase != 'running'", unchecked), rule("ip(self.from) != ip('300.0.0.1')", unchecked))]
struct JobSpec {
    phase: Phase,
    from: String,
}

fn main() {
    let errors = definition::validate(&Job::crd());
    assert!(errors.is_empty(), "{errors}");
}
