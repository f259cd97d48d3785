//! The lifecycle of namespaces: the objects in a deleted namespace are deleted before the namespace is removed.
//!
//! Source: `pkg/registry/core/namespace` and `pkg/controller/namespace` of kubernetes/kubernetes.

use serde_json::{Map, Value, json};

use super::core::Core;
use super::failure::{Answer, Failure, Of};
use super::kind::Kind;
use super::query::DeleteOptions;
use super::{builtin, metadata};

/// The resource of namespaces in the store.
pub(super) const RESOURCE: &str = "/namespaces";
/// The entry of `spec.finalizers` that keeps a namespace until it is empty.
const FINALIZER: &str = "kubernetes";
/// Namespaces that cannot be deleted. Source: the admission plugin `NamespaceLifecycle`.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

/// Sets the status, the finalizer and the label of a new namespace. Source: `namespaceStrategy.PrepareForCreate` and
/// `Canonicalize`.
pub(super) fn prepare(namespace: &mut Map<String, Value>) {
    namespace.insert("status".to_owned(), json!({"phase": "Active"}));
    let spec = namespace.entry("spec").or_insert_with(|| json!({}));
    if let Value::Object(spec) = spec {
        let list = spec.entry("finalizers").or_insert_with(|| json!([]));
        if let Value::Array(list) = list
            && !list.iter().any(|finalizer| finalizer == FINALIZER)
        {
            list.push(FINALIZER.into());
        }
    }
    builtin::label_namespace(namespace);
}

/// Checks that a namespace may be deleted. Source: `NamespaceLifecycle`.
///
/// # Errors
/// Status 403 for the namespaces that the server needs.
pub(super) fn check_deletion(kind: &Kind, name: &str) -> Answer<()> {
    if &*kind.storage == RESOURCE && IMMORTAL.contains(&name) {
        let why = "this namespace may not be deleted";
        return Err(Failure::forbidden(kind.resource(), name, why));
    }
    Ok(())
}

impl Core {
    /// Creates the namespaces that every server has.
    pub(super) fn make_namespaces(&mut self) {
        for name in ["default", "kube-node-lease", "kube-public", "kube-system"] {
            let mut namespace = json!({
                "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name},
            });
            if let Value::Object(map) = &mut namespace {
                prepare(map);
            }
            let (now, uid) = (self.clock.text(), self.ids.uid());
            metadata::fill(&mut namespace, &now, &uid);
            self.store.put(RESOURCE, name, namespace, 0);
        }
    }

    /// Checks that objects may be created or changed in a namespace.
    ///
    /// # Errors
    /// Status 404 if the namespace does not exist, 403 if an object is to be created while the namespace is
    /// terminating.
    pub(super) fn check_namespace(
        &self,
        kind: &Kind,
        namespace: &str,
        object: &Value,
        creates: bool,
    ) -> Answer<()> {
        if !kind.namespaced {
            return Ok(());
        }
        let Some(found) = self.store.get(RESOURCE, namespace) else {
            return Err(Failure::not_found(Of { group: "", kind: "namespaces" }, namespace));
        };
        if creates
            && found.object.pointer("/status/phase").and_then(Value::as_str) == Some("Terminating")
        {
            // Source: `extractResourceName` of `k8s.io/apiserver/pkg/admission/errors.go`.
            let names = [metadata::text(object, "name"), metadata::text(object, "generateName")];
            let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or("Unknown");
            return Err(Failure::namespace_terminating(kind.resource(), name, namespace));
        }
        Ok(())
    }

    /// Deletes the objects in terminating namespaces, and removes those namespaces that are empty. Returns whether
    /// anything has changed.
    pub(super) fn settle_namespaces(&mut self) -> bool {
        let going: Vec<String> = self
            .store
            .list(RESOURCE, "")
            .filter(|(_, stored)| metadata::is_deleting(&stored.object))
            .map(|(key, _)| key.to_string())
            .collect();
        let mut changed = false;
        for namespace in going {
            let prefix = format!("{namespace}/");
            let content: Vec<(String, String)> = self
                .store
                .resources()
                .filter(|(_, objects)| !objects.is_empty())
                .flat_map(|(resource, _)| {
                    self.store
                        .list(resource, &prefix)
                        .map(|(key, _)| (resource.to_string(), key.to_string()))
                })
                .collect();
            for (resource, key) in &content {
                changed |= self.delete_stored(
                    resource,
                    key,
                    &DeleteOptions::default(),
                    Some("namespace-controller"),
                );
            }
            if content.is_empty() {
                changed |= self.finish_namespace(&namespace);
            }
        }
        changed
    }

    /// Removes an empty namespace, or only the finalizer `kubernetes` if the namespace has other finalizers. Returns
    /// whether anything has changed.
    fn finish_namespace(&mut self, name: &str) -> bool {
        let Some(stored) = self.store.get(RESOURCE, name) else { return false };
        let mut object = stored.object.clone();
        let mut kept: Vec<Value> = Vec::new();
        if let Some(Value::Array(list)) = object.pointer("/spec/finalizers") {
            kept = list.iter().filter(|finalizer| *finalizer != FINALIZER).cloned().collect();
            if kept.len() == list.len() && !metadata::finalizers(&object).is_empty() {
                return false;
            }
        }
        if kept.is_empty() && metadata::finalizers(&object).is_empty() {
            return self.remove(RESOURCE, name).is_some();
        }
        let before = object.clone();
        if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
            spec.insert("finalizers".to_owned(), kept.into());
        }
        if object == before {
            return false;
        }
        self.put(RESOURCE, name, object, 0);
        true
    }
}
