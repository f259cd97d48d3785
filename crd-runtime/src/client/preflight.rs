//! Writes that the admission engine decides first: what the server would refuse is not sent.
//!
//! What only the server knows is not in the verdict: other definitions than the derived one, admission
//! plugins and webhooks, quotas, permissions.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use kube::api::PostParams;
use serde_json::Value;

use super::api::{Api, Kind, found, name_of};
use super::apply;
use super::error::{Error, Fault};
use super::modify::{Part, Written, to_json};
use crate::HasStatus;
use crate::admit::{self, Admitted};
use crate::apply::ApplyConfiguration;
use crate::compiled::CompiledSchema;
use crate::managed_fields;

/// What stands for the random end of a generated name.
const GENERATED: &str = "xxxxx";
/// How much of a prefix is in a generated name. Source: `maxGeneratedNameLength` of
/// `k8s.io/apiserver/pkg/storage/names/generate.go`.
const MAX_PREFIX_BYTES: usize = 58;

/// An [`Api`] whose writes are decided here before they are sent. [`Api::checked`] makes it.
///
/// An [`Error`] of it has the server's status, message and field errors, and
/// [`Error::is_preflight`] tells that nothing was sent.
#[derive(Debug, Clone)]
pub struct Checked<K: Clone> {
    api: Api<K>,
    schema: Arc<CompiledSchema>,
}

impl<K: Kind> Api<K> {
    /// The same objects, with writes that are decided by the derived definition before they are sent.
    ///
    /// # Errors
    /// [`Fault::Definition`] where the derived definition is none that the server would take; a test of
    /// `definition::validate` on it keeps that from happening.
    pub fn checked(&self) -> Result<Checked<K>, Error> {
        let schema = schema_of::<K>().map_err(|fault| self.asked("check").fault(fault))?;
        Ok(Checked { api: self.clone(), schema })
    }
}

impl<K: Kind> Checked<K> {
    /// The calls that do not write.
    pub const fn api(&self) -> &Api<K> {
        &self.api
    }

    /// What the server would make of a new object, without asking it.
    ///
    /// # Errors
    /// What the server would answer.
    pub fn check_create(&self, object: &K) -> Result<Admitted, Error> {
        create(&self.api, &self.schema, object)
    }

    /// What the server would make of an object in place of `old`, without asking it.
    ///
    /// # Errors
    /// What the server would answer.
    pub fn check_replace(&self, object: &K, old: &K) -> Result<Admitted, Error> {
        let name = name_of(object);
        let asked = self.api.asked("replace").name(&name);
        let (new, old) = (to_json(&asked, object)?, to_json(&asked, old)?);
        admit::update(&self.schema, new, &old)
            .map_err(|rejection| asked.fault(Fault::refused(&self.schema, &name, rejection)))
    }

    /// [`Api::create`], where the server would create it.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn create(&self, params: &PostParams, object: &K) -> Result<K, Error> {
        self.check_create(object)?;
        self.api.create(params, object).await
    }

    /// [`Api::replace`], where the server would take it in place of the stored object.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn replace(&self, name: &str, params: &PostParams, object: &K) -> Result<K, Error> {
        self.api.replace_part(Part::Main, name, params, object, Some(&self.schema)).await
    }

    /// [`Api::modify`], where the server would take the change.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn modify(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        self.api.modify_part(Part::Main, name, params, change, Some(&self.schema)).await
    }

    /// [`Api::create_or_update`], where the server would take the object.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn create_or_update(
        &self,
        params: &PostParams,
        object: &K,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        self.api.ensure(params, object, change, Some(&self.schema)).await
    }
}

impl<K: Kind> Checked<K> {
    /// What the server would make of a configuration that a manager applies to `live`, or to nothing, without
    /// asking it. `live` is the object as the server gave it ([`Api::get_raw`]).
    ///
    /// `None` where only the server can tell: the manager gives up fields, which stay if other managers own
    /// them too.
    ///
    /// # Errors
    /// What the server would answer, if no other manager owns the fields with other values.
    pub fn check_apply<C: ApplyConfiguration<Kind = K>>(
        &self,
        name: &str,
        config: &C,
        manager: &str,
        live: Option<&Value>,
    ) -> Result<Option<Admitted>, Error> {
        let asked = self.api.asked("apply").name(name);
        let mut new = apply::named(config, name).map_err(|fault| asked.fault(fault))?;
        let admitted = match live {
            None => {
                fill_in(&mut new, self.api.namespace());
                admit::create(&self.schema, new)
            }
            Some(live) => {
                let before = managed_fields::extract(live, C::schema(), manager, "");
                let before = before.map_err(|error| asked.fault(Fault::request(error)))?;
                let applied = managed_fields::merge::apply(C::schema(), live, &before, &new);
                if applied.gives_up && has_other_managers(live, manager) {
                    return Ok(None);
                }
                admit::update(&self.schema, applied.object, live)
            }
        };
        admitted
            .map(Some)
            .map_err(|rejection| asked.fault(Fault::refused(&self.schema, name, rejection)))
    }

    /// [`Api::apply`], where the server would take what comes of it. The object is read first.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn apply<C: ApplyConfiguration<Kind = K>>(
        &self,
        name: &str,
        config: &C,
        manager: &str,
    ) -> Result<K, Error> {
        self.before_apply(name, config, manager).await?;
        self.api.apply(name, config, manager).await
    }

    /// [`Checked::apply`], taking fields over from other managers.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn apply_forced<C: ApplyConfiguration<Kind = K>>(
        &self,
        name: &str,
        config: &C,
        manager: &str,
    ) -> Result<K, Error> {
        self.before_apply(name, config, manager).await?;
        self.api.apply(name, config, manager).force().await
    }

    async fn before_apply<C: ApplyConfiguration<Kind = K>>(
        &self,
        name: &str,
        config: &C,
        manager: &str,
    ) -> Result<(), Error> {
        let live = found(self.api.get_raw(name).await)?;
        self.check_apply(name, config, manager, live.as_ref()).map(drop)
    }
}

impl<K: Kind + HasStatus> Checked<K> {
    /// [`Api::replace_status`], where the server would take it.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn replace_status(
        &self,
        name: &str,
        params: &PostParams,
        object: &K,
    ) -> Result<K, Error> {
        self.api.replace_part(Part::Status, name, params, object, Some(&self.schema)).await
    }

    /// [`Api::modify_status`], where the server would take the change.
    ///
    /// # Errors
    /// What the server would answer, or does.
    pub async fn modify_status(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        self.api.modify_part(Part::Status, name, params, change, Some(&self.schema)).await
    }
}

/// Decides a new object.
pub(super) fn create<K: Kind>(
    api: &Api<K>,
    schema: &CompiledSchema,
    object: &K,
) -> Result<Admitted, Error> {
    let name = name_of(object);
    let asked = api.asked("create").name(&name);
    let mut value = to_json(&asked, object)?;
    fill_in(&mut value, api.namespace());
    admit::create(schema, value)
        .map_err(|rejection| asked.fault(Fault::refused(schema, &name, rejection)))
}

/// Whether fields may belong to others.
fn has_other_managers(live: &Value, manager: &str) -> bool {
    let entries = live.pointer("/metadata/managedFields").and_then(Value::as_array);
    entries.into_iter().flatten().any(|entry| {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        (text("manager"), text("operation"), text("subresource")) != (manager, "Apply", "")
    })
}

/// What the server fills in before it decides.
fn fill_in(object: &mut Value, namespace: Option<&str>) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        if let Some(namespace) = namespace {
            metadata.entry("namespace").or_insert_with(|| namespace.into());
        }
        if !metadata.contains_key("name")
            && let Some(Value::String(prefix)) = metadata.get("generateName")
        {
            // Names are ASCII: cut anywhere, any other prefix stays wrong.
            let kept = prefix.get(..MAX_PREFIX_BYTES).unwrap_or(prefix);
            let name = format!("{kept}{GENERATED}");
            metadata.insert("name".to_owned(), name.into());
        }
    }
}

/// The schema that was derived from the type, compiled once.
pub(super) fn schema_of<K: Kind>() -> Result<Arc<CompiledSchema>, Fault> {
    static SCHEMAS: LazyLock<Mutex<HashMap<TypeId, Arc<CompiledSchema>>>> =
        LazyLock::new(Mutex::default);
    let id = TypeId::of::<K>();
    // A schema is put in whole or not at all: what a panic elsewhere left is good.
    let known = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
    if let Some(schema) = known {
        return Ok(schema);
    }
    let schema =
        CompiledSchema::for_version(&K::definition(), <K as crate::CustomResource>::VERSION);
    let schema = Arc::new(schema.map_err(Fault::Definition)?);
    SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&schema));
    Ok(schema)
}
