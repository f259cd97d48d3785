//! The deletion of namespaces: first of their objects, then of the namespaces themselves.
//!
//! Source: `pkg/controller/namespace` of kubernetes/kubernetes.

use serde_json::Value;

use super::super::core::Core;
use super::super::metadata;
use super::super::namespaces::{FINALIZER, RESOURCE};
use super::super::query::DeleteOptions;

impl Core {
    /// Deletes the objects in terminating namespaces, and removes those namespaces that are empty. Returns whether
    /// anything has changed.
    pub(in super::super) fn settle_namespaces(&mut self) -> bool {
        let terminating: Vec<String> = self
            .store
            .list(RESOURCE, "")
            .filter(|(_, stored)| stored.is_deleting())
            .map(|(key, _)| key.to_string())
            .collect();
        let mut changed = false;
        for namespace in terminating {
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
        let mut object = stored.object();
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
