use crd_runtime::{CrdSchema, CustomResource, TypeMeta};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
#[crd(status = Status<Phase>, root_description = "A job.")]
/// What a job does.
struct JobSpec {
    run: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Task", namespaced, status = Status<Phase>)]
struct Task {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    status: Option<Status<Phase>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status<P> {
    phase: P,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Phase {
    Running,
    Done,
}

fn main() {
    let schema = serde_json::to_value(Job::schema()).unwrap();
    assert_eq!(schema["description"], "A job.");
    assert_eq!(schema["properties"]["spec"]["description"], "What a job does.");
    assert_eq!(schema.pointer("/properties/status/properties/phase/enum/0").unwrap(), "Running");
}
