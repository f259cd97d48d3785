//! Enums without content are fields where they are flattened or beside a tag.

use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Policy {
    Always,
    Never,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type")]
enum Choice {
    Policy(Policy),
    Nothing,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
#[crd(rule("!has(self.Always) || self.count > 0"))]
struct JobSpec {
    #[serde(flatten)]
    policy: Policy,
    choice: Choice,
    count: u8,
}

fn main() {
    let errors = definition::validate(&Job::crd());
    assert!(errors.is_empty(), "{errors}");
    let spec = JobSpec { policy: Policy::Always, choice: Choice::Policy(Policy::Never), count: 1 };
    let written = serde_json::to_value(&spec).expect("JSON");
    assert_eq!(
        written,
        json!({"Always": null, "choice": {"type": "Policy", "Never": null}, "count": 1})
    );
    assert_eq!(serde_json::from_value::<JobSpec>(written).expect("is read"), spec);
}
