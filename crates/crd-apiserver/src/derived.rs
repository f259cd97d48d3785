//! What is computed from stored objects, and kept until they change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::store::StoredObject;

/// The values of the objects of a resource, by their keys, each with the revision of its object.
type OfResource<T> = BTreeMap<Arc<str>, (u64, Arc<T>)>;

/// The values that are computed from stored objects, by resource.
///
/// PERF: a value is computed once for each revision of its object, not for each request.
#[derive(Debug)]
pub(super) struct Derived<T>(Mutex<BTreeMap<&'static str, OfResource<T>>>);

impl<T> Default for Derived<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Derived<T> {
    /// Returns the value of a stored object.
    pub(super) fn get(
        &self,
        resource: &'static str,
        key: impl Into<Arc<str>>,
        stored: &StoredObject,
        derive: impl FnOnce(&Value) -> T,
    ) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, key) = (known.entry(resource).or_default(), key.into());
        if let Some((revision, value)) = known.get(&key)
            && *revision == stored.revision
        {
            return Arc::clone(value);
        }
        let value = Arc::new(derive(&stored.object()));
        known.insert(key, (stored.revision, Arc::clone(&value)));
        value
    }

    /// Drops the value of an object that is no longer stored.
    pub(super) fn remove(&self, resource: &str, key: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get_mut(resource) {
            known.remove(key);
        }
    }
}

#[cfg(test)]
impl<T> Derived<T> {
    /// Returns the number of values.
    pub(super) fn count(&self) -> usize {
        self.0.lock().expect("no panic").values().map(BTreeMap::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::handler::route;
    use super::super::store::Store;
    use super::super::{ApiServer, Storage};
    use super::*;

    #[test]
    fn values_are_computed_once_for_each_revision() {
        let (mut store, derived) = (Store::new(10), Derived::default());
        let mut count = 0;
        let mut check = |store: &Store, key: &str, want: (u64, usize)| {
            let (key, stored) = store.list("things", key).next().expect("there");
            let n = derived.get("things", Arc::clone(key), stored, |object| {
                count += 1;
                object["n"].as_u64().unwrap_or_default()
            });
            assert_eq!((*n, count), want);
        };
        store.put("things", "a", json!({"metadata": {}, "n": 1}), 0);
        store.put("things", "b", json!({"metadata": {}, "n": 2}), 0);
        check(&store, "a", (1, 1));
        check(&store, "b", (2, 2));
        check(&store, "a", (1, 2));
        store.put("things", "a", json!({"metadata": {}, "n": 3}), 0);
        check(&store, "a", (3, 3));
        check(&store, "b", (2, 3));
        // The same object, stored again, has another revision.
        store.remove("things", "a");
        derived.remove("things", "a");
        derived.remove("others", "a");
        assert_eq!(derived.count(), 1);
        store.put("things", "a", json!({"metadata": {}, "n": 3}), 0);
        check(&store, "a", (3, 4));
    }

    #[test]
    fn values_of_removed_objects_are_dropped() {
        let server = ApiServer::new();
        let count = || server.shared.lock().core.definitions.count();
        let crd = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "as.example.com"},
            "spec": {
                "group": "example.com", "scope": "Namespaced", "names": {"plural": "as", "kind": "A"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                }],
            },
        });
        server.create(&crd).expect("created");
        assert_eq!(count(), 1);
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/as.example.com";
        let request = http::Request::delete(path).body(Vec::new()).expect("a request");
        let deleted = server.shared.act(|core| route(core, &request, &mut Vec::new()).map(drop));
        deleted.expect("deleted");
        assert_eq!(count(), 0);
        server.create(&crd).expect("created again");
        server.restart(Storage::Lost);
        assert_eq!(count(), 0);
    }
}
