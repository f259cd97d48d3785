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
#[crd(rule("self.phase != 'running'", unchecked("an older version wrote it so")), rule("self.from == '' || ip('300.0.0.1').family() == 4", unchecked))]
struct JobSpec {
    phase: Phase,
    #[crd(max_length = 39)]
    from: String,
}

fn main() {
    let errors = definition::validate(&Job::crd());
    assert!(errors.is_empty(), "{errors}");
}
