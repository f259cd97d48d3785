//! Values that the types of a crate share, in one module.

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

mod api {
    pub use crd_runtime;
    pub const GROUP: &str = "stable.example.com";
    pub const KUBERNETES: &str = "1.33";
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(defaults = crate::api, version = "v1", kind = "Job", namespaced, selectable(".spec.name"))]
struct JobSpec {
    #[crd(rule("format.dns1123Label().validate(self).hasValue() == false", message = "a label"), max_length = 63)]
    name: String,
    part: Part,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(defaults = crate::api)]
struct Part {
    #[crd(format = "uuid")]
    id: String,
}

// A key of the kind itself stands in place of that of the module.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "batch.example.com", kubernetes = "1.37", defaults = crate::api, version = "v1", kind = "Batch", cluster)]
struct BatchSpec {
    #[crd(format = "k8s-short-name")]
    name: String,
}

fn main() {
    assert_eq!(Job::crd().spec.group, "stable.example.com");
    assert_eq!(Batch::crd().spec.group, "batch.example.com");
}
