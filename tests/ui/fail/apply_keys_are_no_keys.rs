use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(keys("nmae", "port", "name", "name", "hint")))]
struct Port {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<i32>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    hint: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(keys("name")))]
enum Action {
    Run { name: String },
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, apply(keys("name")))]
struct CacheSpec {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Borrowed<'a> {
    text: std::borrow::Cow<'a, str>,
}

fn main() {}
