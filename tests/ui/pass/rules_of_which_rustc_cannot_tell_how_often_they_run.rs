//! Rules that the server may take or reject: what they cost in an object is not known to rustc, so it says nothing.

use std::collections::BTreeMap;

use crd_runtime::crd_schema::open_object;
use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::api::core::v1::PodSpec;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced, status = FleetStatus)]
struct FleetSpec {
    /// Of none, nothing costs anything.
    #[crd(max_items = 0)]
    none: Vec<Pool>,
    /// How small a template is is not known, nor how many fit into a request.
    templates: Vec<Template>,
    #[crd(schema_with = open_object)]
    opaque: BTreeMap<String, Pool>,
    /// The bound makes the name's rule cheap.
    #[crd(max_length = 63)]
    name: Name,
    #[crd(max_items = 4, items(max_length = 63))]
    names: Vec<Name>,
    /// The bound makes the variant's rule cheap.
    #[crd(max_items = 64)]
    sources: Vec<Source>,
    /// Its schema ends at the next node.
    nodes: Vec<Node>,
    #[crd(max_items = 10)]
    pools: Vec<Pool>,
    pairs: Vec<Pair<Foreign>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct FleetStatus {
    #[serde(default)]
    seen: bool,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("!self.name.contains('a reserved name')"))]
struct Pool {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("!self.name.contains('a reserved name')"))]
struct Template {
    #[crd(max_length = 200)]
    name: String,
    spec: PodSpec,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.matches('^[a-z]+$')"))]
struct Name(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
enum Source {
    Git {
        #[crd(rule("!self.contains('a reserved name')"))]
        #[crd(max_length = 200)]
        url: String,
    },
    Empty,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Node {
    #[crd(preserve_unknown_fields)]
    next: Vec<Node>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.first != self.second"))]
struct Pair<T> {
    first: T,
    second: T,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Foreign;

impl CrdSchema for Foreign {
    fn schema() -> crd_runtime::model::JsonSchemaProps {
        open_object()
    }
}

fn main() {}
