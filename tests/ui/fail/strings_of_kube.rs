use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced, status = Status)]
#[crd(printcolumn = r#"{"name":"Spec", "type":"string", "jsonPath":".spec.name"}"#)]
#[crd(scale = r#"{"specReplicasPath":".spec.replicas", "statusReplicasPath":".status.replicas"}"#)]
#[crd(derive = "PartialEq")]
struct JobSpec {
    name: String,
    replicas: i32,
    #[schemars(extend("x-kubernetes-validations" = [{"rule": "self > 1"}]))]
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    replicas: i32,
}

fn main() {}
