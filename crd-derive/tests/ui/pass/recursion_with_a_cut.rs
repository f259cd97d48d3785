use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Node {
    #[crd(preserve_unknown_fields)]
    children: Vec<Node>,
    #[crd(preserve_unknown_fields)]
    next: Option<Box<Node>>,
}

#[test]
fn a_cut_ends_the_recursion() {
    let schema = serde_json::to_value(Node::schema()).unwrap();
    let children = &schema["properties"]["children"];
    assert_eq!(children["x-kubernetes-preserve-unknown-fields"], true);
    assert_eq!(children["properties"], serde_json::Value::Null);
}
