use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

mod api {
    pub use crd_runtime;
    pub const GROUP: &str = "not a group";
    pub const KUBERNETES: &str = "1.30";
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(defaults = crate::api, version = "v1", kind = "Job", namespaced, selectable(".spec.name"))]
struct JobSpec {
    #[crd(format = "k8s-short-name", rule("isIP(self)"))]
    name: String,
    part: Part,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(defaults = crate::api)]
struct Part {
    #[crd(format = "k8s-long-name")]
    name: String,
}

mod unknown {
    pub use crd_runtime;
    pub const GROUP: &str = "example.com";
    pub const KUBERNETES: &str = "1.9";
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(defaults = crate::unknown, version = "v1", kind = "Batch", namespaced)]
struct BatchSpec {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(defaults = "crate::api")]
struct Text {
    #[crd(defaults = crate::api)]
    name: String,
}

fn main() {}
