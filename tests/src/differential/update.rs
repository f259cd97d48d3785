//! Generates the stored definition of an update: a few edits away from the new one, and mostly established.

use fastrand::Rng;
use serde_json::{Value, json};

use super::{object, schema};

/// Returns the definition that `crd` replaces. Sets the `uid` of `crd` and the resource version, which an update
/// requires.
pub(super) fn stored(rng: &mut Rng, crd: &mut Value) -> Value {
    crd["metadata"]["resourceVersion"] = "7".into();
    crd["metadata"]["uid"] = "u".into();
    let mut old = crd.clone();
    for _ in 0..rng.u8(1..4) {
        edit(rng, &mut old);
    }
    if rng.u8(..3) != 0 {
        old["status"] = json!({
            "acceptedNames": old["spec"]["names"],
            "conditions": [{"type": "Established", "status": "True"}],
            "storedVersions": if rng.u8(..8) == 0 { json!(["v0", "v1"]) } else { json!(["v1"]) },
        });
    }
    old
}

fn edit(rng: &mut Rng, old: &mut Value) {
    let fields = [
        ("/spec/scope", json!("Cluster")),
        ("/spec/names/kind", json!("Gadget")),
        ("/spec/names/plural", json!("gadgets")),
        ("/spec/group", json!("example.org")),
        ("/spec/versions/0/served", json!(false)),
        ("/spec/versions/0/subresources", json!({})),
        ("/metadata/name", json!("gadgets.example.com")),
    ];
    if rng.u8(..5) == 0 {
        let (at, value) = &fields[rng.usize(..fields.len())];
        if let Some(place) = old.pointer_mut(at) {
            *place = value.clone();
        }
        return;
    }
    let at = "/spec/versions/0/schema/openAPIV3Schema";
    if let Some(root) = old.pointer_mut(at) {
        edit_schema(rng, root);
    }
}

/// Changes a keyword of a schema or of a schema below it.
fn edit_schema(rng: &mut Rng, node: &mut Value) {
    let Value::Object(map) = node else { return };
    let mut below: Vec<Vec<String>> = Vec::new();
    if let Some(Value::Object(properties)) = map.get("properties") {
        below.extend(properties.keys().map(|name| vec!["properties".to_owned(), name.clone()]));
    }
    for keyword in ["items", "additionalProperties"] {
        if map.get(keyword).is_some_and(Value::is_object) {
            below.push(vec![keyword.to_owned()]);
        }
    }
    if !below.is_empty() && rng.u8(..4) != 0 {
        let steps = &below[rng.usize(..below.len())];
        let child = steps.iter().try_fold(node, |node, step| node.get_mut(step));
        return child.map_or((), |child| edit_schema(rng, child));
    }
    let keywords: Vec<String> = map.keys().cloned().collect();
    match rng.u8(..4) {
        0 | 1 => {
            if let Some(keyword) = rng.choice(&keywords) {
                map.remove(keyword);
            }
        }
        2 => schema::make_mistake(rng, node),
        _ => {
            let value = object::value(rng, node, 0, 5);
            node["default"] = value;
        }
    }
}
