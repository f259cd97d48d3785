//! Types with arguments as values of keys, which rustc parses as expressions.

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

macro_rules! kind_with_a_status {
    ($status:ty, $other:path, $field:ty) => {
        #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
        #[crd(group = "example.com", version = "v1", kind = "Step", namespaced, status = $status)]
        struct StepSpec {
            #[crd(schema_as = $field)]
            foreign: Foreign,
        }

        #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
        #[crd(group = "example.com", version = "v1", kind = "Stage", namespaced, status = $other)]
        struct StageSpec {}
    };
}
kind_with_a_status!(Status<Phase>, Status<Phase>, Vec<Phase>);

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Foreign(i32);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Shown {
    #[crd(schema_as = (Vec<i32>, Vec<i32>))]
    pair: Foreign,
    #[crd(schema_as = [Vec<i32>; 2], title = "t")]
    array: Foreign,
    #[crd(schema_as = &'static str)]
    text: Foreign,
}

fn main() {
    let shown = serde_json::to_value(Shown::schema()).unwrap();
    for list in ["pair", "array"] {
        let items = &shown["properties"][list]["items"];
        assert_eq!([&items["type"], &items["items"]["type"]], ["array", "integer"], "{list}");
    }
    assert_eq!(shown["properties"]["text"]["type"], "string");
    let step = serde_json::to_value(Step::schema()).unwrap();
    assert_eq!(step.pointer("/properties/status/properties/phase/enum/0").unwrap(), "Running");
    assert_eq!(step.pointer("/properties/spec/properties/foreign/items/enum/1").unwrap(), "Done");
    assert!(Stage::crd().spec.versions[0].subresources.is_some());
    let schema = serde_json::to_value(Job::schema()).unwrap();
    assert_eq!(schema["description"], "A job.");
    assert_eq!(schema["properties"]["spec"]["description"], "What a job does.");
    assert_eq!(schema.pointer("/properties/status/properties/phase/enum/0").unwrap(), "Running");
}
