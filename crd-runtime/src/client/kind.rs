//! A kind that a client can read and write, and its objects as they are sent.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crd_cel::kubernetes::KubernetesVersion;
use kube::Resource;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{Error, ErrorKind, RequestContext};
use crate::compiled::CompiledSchema;
use crate::{CustomResource, Server};

/// Defines a trait as an alias of its bounds, implemented for every type that has them.
macro_rules! bounds {
    ($(#[$doc:meta])* $name:ident: $($bound:tt)+) => {
        $(#[$doc])*
        pub trait $name: $($bound)+ {}

        impl<K: $($bound)+> $name for K {}
    };
}

bounds! {
    /// A kind that a client can read and write: a derived root that is `Serialize`, `Deserialize`, `Clone` and
    /// `Debug`.
    Kind: CustomResource
        + Resource<DynamicType = ()>
        + Serialize
        + DeserializeOwned
        + Clone
        + fmt::Debug
        + Send
        + Sync
        + 'static
}

/// The schema that was derived from the type, compiled once for each minor that is asked for.
pub(super) fn schema_of<K: Kind>(
    kubernetes: KubernetesVersion,
) -> Result<Arc<CompiledSchema>, ErrorKind> {
    type Schemas = HashMap<(TypeId, KubernetesVersion), Arc<CompiledSchema>>;
    static SCHEMAS: LazyLock<Mutex<Schemas>> = LazyLock::new(Mutex::default);
    let id = (TypeId::of::<K>(), kubernetes);
    // A schema is inserted as a whole, so the map is valid even if a thread has panicked while it held the lock.
    let known = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
    if let Some(schema) = known {
        return Ok(schema);
    }
    let version = <K as CustomResource>::VERSION;
    let schema = Server::of(kubernetes).compile(&K::definition(), version);
    let schema = Arc::new(schema.map_err(ErrorKind::Definition)?);
    SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&schema));
    Ok(schema)
}

/// Returns the object's name, or its `generateName` followed by `*`, or an empty text.
pub(super) fn name_of<K: Kind>(object: &K) -> String {
    let meta = object.meta();
    match (&meta.name, &meta.generate_name) {
        (Some(name), _) => name.clone(),
        (None, Some(prefix)) => format!("{prefix}*"),
        (None, None) => String::new(),
    }
}

/// Serializes an object as the body of a request.
pub(super) fn to_vec(context: &RequestContext, object: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(object).map_err(|error| context.error(ErrorKind::request(error)))
}

/// Returns an object as JSON with `apiVersion` and `kind`. A generated root serializes them; a root that the
/// user wrote need not.
pub(super) fn to_json<K: Kind>(context: &RequestContext, object: &K) -> Result<Value, Error> {
    let mut value =
        serde_json::to_value(object).map_err(|error| context.error(ErrorKind::request(error)))?;
    if let Value::Object(map) = &mut value {
        for (key, text) in [("apiVersion", K::API_VERSION), ("kind", <K as CustomResource>::KIND)] {
            map.entry(key).or_insert_with(|| text.into());
        }
    }
    Ok(value)
}
