//! What is computed from stored objects, and kept until they change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::store::StoredObject;

/// The resource and the key of a stored object.
type Place = (&'static str, Arc<str>);

/// The values that are computed from stored objects, each with the revision of its object.
///
/// PERF: a value is computed once for each revision of its object, not for each request.
#[derive(Debug)]
pub(super) struct Derived<T>(Mutex<BTreeMap<Place, (u64, Arc<T>)>>);

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
        let place = (resource, key.into());
        if let Some((revision, value)) = known.get(&place)
            && *revision == stored.revision
        {
            return Arc::clone(value);
        }
        let value = Arc::new(derive(&stored.object()));
        known.insert(place, (stored.revision, Arc::clone(&value)));
        value
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::store::Store;
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
        store.put("things", "a", json!({"metadata": {}, "n": 3}), 0);
        check(&store, "a", (3, 4));
    }
}
