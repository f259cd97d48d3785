//! What is generated beside the schema can be left to others.

use crd_runtime::schemars::JsonSchema;
use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[schemars(crate = "crd_runtime::schemars")]
#[crd(json_schema = false)]
struct Part {
    #[schemars(length(max = 3))]
    #[crd(max_length = 4)]
    name: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced, fields = false)]
struct JobSpec {
    #[crd(selectable)]
    name: String,
    #[crd(required)]
    #[serde(default)]
    always: Vec<Part>,
    #[crd(optional, schema_with = crd_runtime::crd_schema::any)]
    seldom: Seldom,
}

type Seldom = Option<serde_json::Value>;

impl Job {
    fn fields() -> u8 {
        3
    }
}

fn main() {
    assert_eq!(Job::fields(), 3);
    let theirs = crd_runtime::schemars::schema_for!(Part);
    assert_eq!(theirs.as_value()["properties"]["name"]["maxLength"], 3);
    let ours = serde_json::to_value(Part::schema()).expect("JSON");
    assert_eq!(ours["properties"]["name"]["maxLength"], 4);
    let spec = serde_json::to_value(JobSpec::schema()).expect("JSON");
    assert_eq!(spec["required"], serde_json::json!(["always", "name"]));
}
