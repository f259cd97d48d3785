//! A handwritten root whose status is in a box, and types that are read as another.

use crd_runtime::{CrdSchema, CustomResource, TypeMeta};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Widget", namespaced, status = Status)]
struct Widget {
    #[serde(flatten)]
    type_meta: TypeMeta<Self>,
    metadata: ObjectMeta,
    spec: Spec,
    status: Option<Box<Status>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    phase: String,
}

// Read from a string, and written by an implementation of its own.
#[derive(CrdSchema, Deserialize, Clone, Debug)]
#[crd(schema_as = String)]
#[serde(try_from = "String")]
struct Spec {
    host: String,
}

impl TryFrom<String> for Spec {
    type Error = String;
    fn try_from(host: String) -> Result<Self, String> {
        Ok(Self { host })
    }
}

impl Serialize for Spec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.host)
    }
}

fn main() {
    assert_eq!(Spec::schema().type_, "string");
}
