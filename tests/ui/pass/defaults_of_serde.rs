//! `default` on a type takes all defaults of serde, and those of a container on its fields.

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::{CrdSchema, CustomResource, admit};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Team", namespaced, default)]
#[crd(rule("self.members.filter(m, m.leads == true).size() == 1", message = "one lead"))]
#[crd(rule("self.size > 0"))]
struct TeamSpec {
    #[crd(max_items = 9)]
    members: Vec<Member>,
    #[crd(immutable)]
    #[serde(default)]
    open: bool,
    #[serde(default = "three")]
    size: i32,
    #[serde(default = "name", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    none: Option<String>,
    #[serde(default)]
    #[crd(default = 7)]
    own: i32,
}

fn three() -> i32 {
    3
}

fn name() -> Option<String> {
    Some("a".to_owned())
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(default)]
#[crd(default)]
struct Member {
    leads: bool,
    level: i32,
    nick: Option<String>,
}

impl Default for Member {
    fn default() -> Self {
        Self { leads: false, level: 5, nick: None }
    }
}

/// The default of a parameter's values is serialized where the type is used.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Page<T> {
    #[crd(default)]
    #[serde(default)]
    items: Vec<T>,
    #[crd(default)]
    #[serde(default)]
    first: T,
    #[crd(default = Default::default())]
    last: T,
    #[crd(default = vec![])]
    others: Vec<T>,
}

fn main() {
    let page = serde_json::to_value(Page::<u8>::schema()).unwrap();
    let defaults = ["items", "first", "last", "others"].map(|it| &page["properties"][it]["default"]);
    assert_eq!(defaults, [&json!([]), &json!(0), &json!(0), &json!([])]);
    let schema = CompiledSchema::of::<Team>().unwrap();
    let object = json!({
        "apiVersion": "example.com/v1",
        "kind": "Team",
        "metadata": {"name": "a", "namespace": "b"},
        "spec": {"members": [{"leads": true}, {}]},
    });
    let admitted = admit::create(&schema, object).expect("the defaults are set first");
    let mut spec = admitted.object["spec"].clone();
    assert_eq!(spec["members"][1], json!({"leads": false, "level": 5}));
    spec.as_object_mut().unwrap().remove("members");
    assert_eq!(spec, json!({"open": false, "size": 3, "name": "a", "own": 7}));
}
