//! The deletion of namespaces: first of their objects, then of the namespaces themselves.
//!
//! Source: `pkg/controller/namespace` of kubernetes/kubernetes.

use std::sync::Arc;

use serde_json::Value;

use super::super::core::Core;
use super::super::failure::Answer;
use super::super::namespaces::{FINALIZER, RESOURCE};
use super::super::query::{DeleteOptions, Propagation};
use super::super::target::Part;
use super::super::user::User;
use super::ObjectKey;

/// The service account that deletes the contents of namespaces.
const CONTROLLER: &str = "namespace-controller";

impl Core {
    /// Deletes the objects in a terminating namespace. If there are none, removes the finalizer `kubernetes` of the
    /// namespace, and so the namespace if it has no other finalizer. Source: `namespacedResourcesDeleter.Delete`.
    ///
    /// # Errors
    /// Returns the first failure of a deletion.
    pub(super) fn empty_namespace(&mut self, name: &Arc<str>) -> Answer<()> {
        let is_deleting = |core: &Self| {
            core.store.get(RESOURCE, name).is_some_and(|namespace| namespace.is_deleting())
        };
        if !is_deleting(self) {
            return Ok(());
        }
        let prefix = format!("{name}/");
        let mut failure = Ok(());
        let user = Arc::new(User::service_account("kube-system", CONTROLLER));
        for (key, is_deleting) in self.contents(&prefix) {
            // Upstream asks webhooks again about objects that are being deleted, but only as often as it tries again.
            if is_deleting {
                continue;
            }
            let options = DeleteOptions {
                propagation: Some(Propagation::Background),
                ..DeleteOptions::default()
            };
            let deleted = self.delete_stored(&key, &options, Some(Arc::clone(&user)));
            failure = failure.and(deleted);
        }
        failure?;
        if !self.contents(&prefix).is_empty() {
            return Ok(());
        }
        let key = (RESOURCE.into(), Arc::clone(name));
        self.change_as(CONTROLLER, &key, Part::Finalize, &|namespace| {
            if let Some(Value::Array(list)) = namespace.pointer_mut("/spec/finalizers") {
                list.retain(|finalizer| finalizer != FINALIZER);
            }
        })
    }

    /// Returns the objects whose keys begin with `prefix`, and whether each is being deleted.
    fn contents(&self, prefix: &str) -> Vec<(ObjectKey, bool)> {
        let mut found = Vec::new();
        for (resource, _) in self.store.resources() {
            for (key, stored) in self.store.list(resource, prefix) {
                found.push(((Arc::clone(resource), Arc::clone(key)), stored.is_deleting()));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::metadata;
    use super::*;

    #[test]
    fn only_the_finalizers_of_a_namespace_keep_it() {
        let live = |finalizers: Value, of_spec: Value| {
            json!({
                "kind": "Namespace",
                "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": finalizers},
                "spec": {"finalizers": of_spec},
            })
        };
        let bare = live(json!([]), json!([]));
        assert!(metadata::may_remove(&bare, &bare));
        for kept in [live(json!(["a"]), json!([])), live(json!([]), json!(["kubernetes"]))] {
            assert!(!metadata::may_remove(&kept, &bare));
        }
    }
}
