use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Set", namespaced)]
struct SetSpec {
    generators: Vec<Generator>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Generator {
    merge: Option<Merge>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Merge {
    #[crd(recursive)]
    list: Vec<Generator>,
    #[crd(recursive)]
    map: BTreeMap<String, Generator>,
    #[crd(recursive)]
    object: Option<Box<Generator>>,
    #[crd(recursive, description = "Another.")]
    choice: Choice,
    #[crd(recursive)]
    itself: Option<Box<Merge>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Choice {
    None,
    Merge(Box<Merge>),
}

fn main() {
    let schema = serde_json::to_value(Merge::schema()).unwrap();
    let check = |field: &str, want: Value| assert_eq!(schema["properties"][field], want, "{field}");
    let any = json!({"x-kubernetes-preserve-unknown-fields": true});
    check("list", json!({"type": "array", "items": any}));
    check("map", json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}));
    let object = json!({"type": "object", "nullable": true, "x-kubernetes-preserve-unknown-fields": true});
    check("object", object.clone());
    check("itself", object);
    check(
        "choice",
        json!({"description": "Another.", "nullable": true, "x-kubernetes-preserve-unknown-fields": true}),
    );
    crd_runtime::definition::validate(&Set::definition()).into_result().unwrap();
}
