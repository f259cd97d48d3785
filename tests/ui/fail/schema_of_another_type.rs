use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Fields {
    #[crd(schema_as = String, schema_with = crd_runtime::crd_schema::any)]
    twice: Foreign,
    #[crd(schema_as = "String")]
    quoted: Foreign,
    #[crd(schema_as = 5)]
    number: Foreign,
    #[crd(schema_as = String, minimum = 1)]
    minimum: Foreign,
    #[crd(schema_with)]
    module: Foreign,
    #[crd(items(schema_with))]
    elements: Vec<Foreign>,
    #[crd(schema_as = String, recursive)]
    recursive: Vec<Foreign>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Optional {
    #[crd(schema_as = ())]
    unit: Option<Foreign>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(schema_as = String)]
struct Below {
    #[crd(max_length = 5)]
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Rules {
    #[crd(schema_as = BTreeMap<String, i8>, rule("self.a > 'b'"))]
    map: Foreign,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Lamp", namespaced, schema_as = String)]
#[crd(status(Foreign, schema = any))]
struct LampSpec {
    height: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Torch", namespaced, status(Foreign))]
struct TorchSpec {
    height: i32,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Foreign(String);

fn main() {}
