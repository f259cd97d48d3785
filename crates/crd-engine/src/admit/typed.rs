//! Admission of Rust values, for tests of operators.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Admitted, Rejection, create, update};
use crate::Defined;
use crate::compiled::CompiledSchema;
use crate::object_meta::text;

/// The namespace that `kubectl` uses if none is given.
const DEFAULT_NAMESPACE: &str = "default";

/// The resource version that is assumed for a stored object without one, which was never on a server.
const FIRST_RESOURCE_VERSION: &str = "1";

/// Admits a new object of a derived kind, and returns it as it is stored.
///
/// As with `kubectl create`, an object of a namespaced kind without a namespace is in `default`.
/// [`CompiledSchema::of`] compiles the schema:
///
/// ```
/// use crd_runtime::{CustomResource, admit, compiled::CompiledSchema};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Memcached", namespaced)]
/// struct MemcachedSpec {
///     #[crd(minimum = 1)]
///     size: i32,
/// }
///
/// let schema = CompiledSchema::of::<Memcached>()?;
/// admit::create_typed(&schema, &Memcached::new("cache", MemcachedSpec { size: 3 }))?;
///
/// let rejected = admit::create_typed(&schema, &Memcached::new("cache", MemcachedSpec { size: 0 }));
/// assert_eq!(
///     format!("{:?}", rejected.unwrap_err()),
///     "The Memcached \"cache\" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than \
///      or equal to 1",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the server would reject the object, or with [`Rejection::Decode`] if serde cannot serialize or deserialize it.
pub fn create_typed<K>(schema: &CompiledSchema, object: &K) -> Result<K, Rejection>
where
    K: Defined + Serialize + DeserializeOwned,
{
    let mut object = to_json(object)?;
    in_default_namespace::<K>(&mut object);
    typed(create(schema, object)?)
}

/// Admits an object of a derived kind in place of `old`, and returns it as it is stored.
///
/// As with `kubectl apply`, a namespace, resource version, uid or creation timestamp that the object does not have is
/// taken from `old`. If `old` was never on a server and has no resource version, `1` is assumed.
///
/// # Errors
/// As for [`create_typed`].
pub fn update_typed<K>(schema: &CompiledSchema, object: &K, old: &K) -> Result<K, Rejection>
where
    K: Defined + Serialize + DeserializeOwned,
{
    let (mut object, mut old) = (to_json(object)?, to_json(old)?);
    in_default_namespace::<K>(&mut old);
    if let Some(metadata) = metadata(&mut old) {
        fill(metadata, "resourceVersion", FIRST_RESOURCE_VERSION);
        let stored = ["namespace", "resourceVersion", "uid", "creationTimestamp"];
        let stored = stored.map(|key| (key, text(metadata, key).to_owned()));
        if let Some(metadata) = self::metadata(&mut object) {
            for (key, value) in stored.iter().filter(|(_, value)| !value.is_empty()) {
                fill(metadata, key, value);
            }
        }
    }
    typed(update(schema, object, &old)?)
}

fn to_json<K: Serialize>(object: &K) -> Result<Value, Rejection> {
    serde_json::to_value(object).map_err(|error| Rejection::Decode(error.to_string()))
}

fn typed<K: DeserializeOwned>(admitted: Admitted) -> Result<K, Rejection> {
    admitted.into_typed().map_err(|error| Rejection::Decode(error.to_string()))
}

fn in_default_namespace<K: Defined>(object: &mut Value) {
    if let Some(metadata) = metadata(object).filter(|_| K::DEFINED_AS.is_namespaced) {
        fill(metadata, "namespace", DEFAULT_NAMESPACE);
    }
}

fn metadata(object: &mut Value) -> Option<&mut Map<String, Value>> {
    object.get_mut("metadata")?.as_object_mut()
}

/// Sets a field that is absent or empty.
fn fill(metadata: &mut Map<String, Value>, key: &str, value: &str) {
    if text(metadata, key).is_empty() {
        metadata.insert(key.to_owned(), value.into());
    }
}
