//! Tracks who owns the replicas of an object when its scale is written.
//!
//! Before a write, the scale gets the managed fields of the object that own its replicas. After the write, the updated
//! entries are merged into those of the object.
//!
//! Source: `pkg/util/managedfields/scalehandler.go` of apimachinery.

use serde_json::{Map, Value, json};

use super::kind::{ServedKind, Strategy};

/// The `apiVersion` of `Scale`.
pub(super) const API_VERSION: &str = "autoscaling/v1";

/// The path to the replicas in each version of a kind. Versions are written as `apiVersion`: `example.com/v1`.
pub(super) struct Replicas {
    /// Each version, with the keys of the path in managed fields: `f:spec`, `f:replicas`; `None` if the version has no
    /// scale.
    pub(super) paths: Vec<(String, Option<Vec<String>>)>,
    /// The version of the request.
    pub(super) version: String,
}

/// Returns the keys of the path to the replicas in managed fields: `f:spec`, `f:replicas`; `None` if the version has
/// no scale.
pub(super) fn replicas_path(kind: &ServedKind) -> Option<Vec<String>> {
    let path = match &kind.strategy {
        Strategy::Custom { compiled, .. } => {
            compiled.resource().scale.as_ref()?.spec_replicas_path.clone()
        }
        Strategy::BuiltIn(_) | Strategy::Definition => ".spec.replicas".to_owned(),
    };
    Some(path.trim_start_matches('.').split('.').map(|key| format!("f:{key}")).collect())
}

impl Replicas {
    /// Returns the path to the replicas in the version of an entry; `None` if the version no longer exists.
    fn path_in(&self, entry: &Value) -> Option<&Option<Vec<String>>> {
        let version = entry.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        self.paths.iter().find(|(known, _)| known == version).map(|(_, path)| path)
    }

    /// Returns the entries of an object that own its replicas, as entries of its scale.
    /// Source: `ScaleHandler.ToSubresource`.
    pub(super) fn to_scale(&self, entries: &[Value]) -> Vec<Value> {
        let owning = last_entries(entries).into_iter().filter(|entry| {
            self.path_in(entry).and_then(Option::as_ref).is_some_and(|path| owns(entry, path))
        });
        owning
            .map(|entry| {
                let mut entry = entry.clone();
                entry["apiVersion"] = API_VERSION.into();
                entry["fieldsV1"] = json!({"f:spec": {"f:replicas": {}}});
                entry
            })
            .collect()
    }

    /// Merges the entries of a scale after a write (`scale`) into those of its object (`entries`), and returns the new
    /// entries of the object.
    /// Source: `ScaleHandler.ToParent`.
    pub(super) fn to_object(&self, entries: &[Value], scale: &[Value]) -> Vec<Value> {
        let entries = last_entries(entries);
        let mut remaining: Vec<&Value> = last_entries(scale)
            .into_iter()
            .filter(|entry| entry.pointer("/fieldsV1/f:spec/f:replicas").is_some())
            .collect();
        let mut after = Vec::new();
        for &entry in &entries {
            let Some(path) = self.path_in(entry) else { continue };
            let Some(path) = path.as_ref().filter(|path| owns(entry, path)) else {
                after.push(entry.clone());
                continue;
            };
            if let Some(at) = remaining.iter().position(|other| is_same_manager(entry, other)) {
                remaining.remove(at);
                after.push(entry.clone());
                continue;
            }
            // Another manager has taken over the replicas.
            let mut entry = entry.clone();
            if let Some(Value::Object(fields)) = entry.get_mut("fieldsV1") {
                remove(fields, path);
                if !fields.is_empty() {
                    after.push(entry);
                }
            }
        }
        let own = self.paths.iter().find(|(version, _)| *version == self.version);
        let own = own.and_then(|(_, path)| path.as_deref()).unwrap_or_default();
        let fields = own.iter().rev().fold(json!({}), |below, key| json!({key: below}));
        after.extend(remaining.into_iter().map(|entry| {
            let mut entry = entry.clone();
            // Upstream: the time is that of the object's entry of the same manager, if there is one.
            let known = entries.iter().find(|known| is_same_manager(known, &entry));
            let time = known.and_then(|known| known.get("time")).cloned();
            if let Value::Object(entry) = &mut entry {
                entry.remove("time");
                entry.extend(time.map(|time| ("time".to_owned(), time)));
            }
            entry["apiVersion"] = self.version.clone().into();
            entry["fieldsV1"] = fields.clone();
            entry
        }));
        // Source: `sortEncodedManagedFields`. The order matters if a manager has two entries: see `last_entries`.
        after.sort_by_cached_key(|entry| {
            ["operation", "time", "manager", "apiVersion", "subresource"]
                .map(|key| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned())
        });
        after
    }
}

/// Returns the last entry of each manager. A write of a scale that changes nothing can leave two entries of one
/// manager.
/// Source: `DecodeManagedFields`, which collects the entries in a map by `BuildManagerIdentifier`.
fn last_entries(entries: &[Value]) -> Vec<&Value> {
    let is_replaced = |at: usize| {
        entries[at + 1..].iter().any(|later| {
            let has_same = |key: &str| entries[at].get(key) == later.get(key);
            let is_apply = later.get("operation").is_some_and(|operation| operation == "Apply");
            ["manager", "operation", "subresource"].into_iter().all(has_same)
                && (is_apply || has_same("apiVersion"))
        })
    };
    (0..entries.len()).filter(|&at| !is_replaced(at)).map(|at| &entries[at]).collect()
}

/// Returns whether an entry of an object and one of its scale belong to the same manager.
/// Source: `BuildManagerIdentifier`.
fn is_same_manager(entry: &Value, of_scale: &Value) -> bool {
    let is_apply = entry.get("operation").is_some_and(|operation| operation == "Apply");
    // Upstream: managers with the operation `Update` are identified also by `apiVersion`, which differs in a scale.
    is_apply
        && ["manager", "operation", "subresource"]
            .iter()
            .all(|key| entry.get(*key) == of_scale.get(*key))
}

fn owns(entry: &Value, path: &[String]) -> bool {
    let mut fields = entry.get("fieldsV1");
    for key in path {
        fields = fields.and_then(|fields| fields.get(key));
    }
    fields.is_some()
}

/// Removes the field at a path, and the parents that become empty. A parent that is owned itself stays, as a leaf.
fn remove(fields: &mut Map<String, Value>, path: &[String]) {
    let [key, below @ ..] = path else { return };
    if below.is_empty() {
        fields.remove(key);
        return;
    }
    if let Some(Value::Object(inner)) = fields.get_mut(key) {
        remove(inner, below);
        if inner.is_empty() {
            fields.remove(key);
        } else if inner.keys().eq(["."]) {
            inner.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replicas() -> Replicas {
        let path = Some(vec!["f:spec".to_owned(), "f:size".to_owned()]);
        Replicas {
            paths: vec![("example.com/v1".to_owned(), path)],
            version: "example.com/v1".to_owned(),
        }
    }

    fn entry(manager: &str, version: &str, subresource: &str, fields: Value) -> Value {
        let mut entry = json!({
            "manager": manager, "operation": "Apply", "apiVersion": version, "fieldsType": "FieldsV1",
        });
        entry["fieldsV1"] = fields;
        if !subresource.is_empty() {
            entry["subresource"] = subresource.into();
        }
        entry
    }

    #[test]
    fn replicas_go_to_the_scale_and_back() {
        let of_object = json!({"f:spec": {"f:size": {}, "f:image": {}}});
        let entries = [
            entry("a", "example.com/v1", "", of_object.clone()),
            entry("b", "example.com/v1", "", json!({"f:spec": {"f:image": {}}})),
            entry("c", "example.com/v0", "", of_object),
        ];
        let of_scale = json!({"f:spec": {"f:replicas": {}}});
        let to_scale = replicas().to_scale(&entries);
        assert_eq!(to_scale, [entry("a", API_VERSION, "", of_scale.clone())]);
        assert_eq!(replicas().to_object(&entries, &to_scale), entries[..2]);

        let taken = [entry("d", API_VERSION, "scale", of_scale)];
        assert_eq!(
            replicas().to_object(&entries, &taken),
            [
                entry("a", "example.com/v1", "", json!({"f:spec": {"f:image": {}}})),
                entries[1].clone(),
                entry("d", "example.com/v1", "scale", json!({"f:spec": {"f:size": {}}})),
            ]
        );
    }

    #[test]
    fn a_parent_without_the_replicas_is_a_leaf() {
        let entries =
            [entry("a", "example.com/v1", "", json!({"f:spec": {".": {}, "f:size": {}}}))];
        let taken = [entry("d", API_VERSION, "scale", json!({"f:spec": {"f:replicas": {}}}))];
        let left = replicas().to_object(&entries, &taken);
        assert_eq!(left[0], entry("a", "example.com/v1", "", json!({"f:spec": {}})));
    }

    #[test]
    fn the_last_of_two_entries_of_a_manager_is_used() {
        let update = |fields: Value| {
            let mut entry = entry("a", "example.com/v1", "", fields);
            entry["operation"] = "Update".into();
            entry
        };
        // After a write of the scale that changes nothing, a manager can have two entries.
        let entries =
            [update(json!({"f:spec": {"f:size": {}}})), update(json!({"f:spec": {"f:image": {}}}))];
        assert!(replicas().to_scale(&entries).is_empty());
        assert_eq!(replicas().to_object(&entries, &[]), entries[1..]);
    }
}
