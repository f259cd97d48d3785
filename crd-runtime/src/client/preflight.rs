//! Writes that are validated before they are sent: what the server would reject is not sent.
//!
//! The validation knows the derived definition only, and nothing of the server: a different definition that is
//! installed there, admission plugins and webhooks, quotas, permissions.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crd_cel::kubernetes::KubernetesVersion;
use kube::api::{PatchParams, PostParams};
use serde_json::Value;

use super::api::{Api, Kind, name_of};
use super::apply::Apply;
use super::error::{Asked, Error, Fault};
use super::modify::{Part, Written, to_json};
use crate::HasStatus;
use crate::admit::{self, Admitted, Operation};
use crate::apply::ApplyConfiguration;
use crate::compiled::CompiledSchema;
use crate::managed_fields;
use crate::managed_fields::apply::{Foreseen, Request};
use crate::model::JsonSchemaProps;
use crate::versions::Versions;

/// Takes the place of the random suffix of a generated name.
const GENERATED: &str = "xxxxx";
/// The longest part of the prefix in a generated name, in bytes. Source: `maxGeneratedNameLength` of
/// `k8s.io/apiserver/pkg/storage/names/generate.go`.
const MAX_PREFIX_BYTES: usize = 58;

/// An [`Api`] whose writes are validated before they are sent. [`Api::checked`] makes it.
///
/// Its [`Error`]s have the status, message and field errors that the server would answer; if
/// [`Error::is_preflight`], nothing was sent.
#[derive(Debug, Clone)]
pub struct Checked<K: Clone> {
    api: Api<K>,
    schema: Arc<CompiledSchema>,
    /// Other versions with an equal schema.
    alike: Vec<String>,
}

impl<K: Kind> Api<K> {
    /// The same objects, with writes that are validated against the derived definition before they are sent.
    ///
    /// # Errors
    /// [`Fault::Definition`] if the server would reject the derived definition; a test with `definition::validate`
    /// rules that out.
    pub fn checked(&self) -> Result<Checked<K>, Error> {
        let schema =
            schema_of::<K>(self.kubernetes()).map_err(|fault| self.asked("check").fault(fault))?;
        Ok(Checked { api: self.clone(), schema, alike: Vec::new() })
    }
}

impl<K: Kind> Checked<K> {
    /// The calls that do not write.
    pub const fn api(&self) -> &Api<K> {
        &self.api
    }

    /// Declares that the kind has several versions with equal schemas, between which only `apiVersion` is converted.
    /// Then an apply is validated even if managers have written in another version; otherwise that is left to the
    /// server.
    ///
    /// ```no_run
    /// # use crd_runtime::client::{self, Api, Checked};
    /// # mod v1beta1 {
    /// #     #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
    /// #     #[crd(group = "example.com", version = "v1beta1", kind = "Job", namespaced, storage = false)]
    /// #     pub struct JobSpec {}
    /// # }
    /// # mod v1 {
    /// #     #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
    /// #     #[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
    /// #     pub struct JobSpec {}
    /// # }
    /// # fn example(jobs: Api<v1::Job>) -> Result<Checked<v1::Job>, client::Error> {
    /// jobs.checked()?.among::<(v1beta1::Job, v1::Job)>()
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Fault::Request`] if the types are not versions of this kind, or if their schemas differ: only the server can
    /// convert between them.
    pub fn among<V: Versions>(mut self) -> Result<Self, Error> {
        let fault = |why: String| self.api.asked("check").fault(Fault::request(why));
        let merged = V::merged().map_err(|error| fault(error.to_string()))?;
        let name = K::crd_name();
        if merged.metadata.name != name {
            return Err(fault(format!(
                "these are versions of {}, not of {name}",
                merged.metadata.name
            )));
        }
        let strategy = merged.spec.conversion.as_ref().map_or("None", |it| &*it.strategy);
        if strategy != "None" {
            let why = "a webhook converts between the versions: leave `among` out, and the server decides";
            return Err(fault(why.to_owned()));
        }
        let versions = merged.spec.versions.iter();
        self.alike = versions.map(|it| format!("{}/{}", merged.spec.group, it.name)).collect();
        Ok(self)
    }

    /// Computes what the server would answer to the creation of an object, without a request.
    ///
    /// # Errors
    /// The error that the server would answer.
    pub fn check_create(&self, object: &K) -> Result<Admitted, Error> {
        create(&self.api, &self.schema, object)
    }

    /// Computes what the server would answer to `object` in place of `old`, without a request.
    ///
    /// # Errors
    /// The error that the server would answer.
    pub fn check_replace(&self, object: &K, old: &K) -> Result<Admitted, Error> {
        let name = name_of(object);
        let asked = self.api.asked("replace").name(&name);
        let (new, old) = (to_json(&asked, object)?, to_json(&asked, old)?);
        admit::update(&self.schema, new, &old)
            .map_err(|rejection| asked.fault(Fault::refused(&self.schema, &name, rejection)))
    }

    /// [`Api::create`], if the server would create the object.
    ///
    /// # Errors
    /// The error that the server would answer, or answers.
    pub async fn create(&self, params: &PostParams, object: &K) -> Result<K, Error> {
        self.check_create(object)?;
        self.api.create(params, object).await
    }

    /// [`Api::replace`], if the server would accept it in place of the stored object.
    ///
    /// # Errors
    /// The error that the server would answer, or answers.
    pub async fn replace(&self, name: &str, params: &PostParams, object: &K) -> Result<K, Error> {
        self.api.write(Part::Main, name, params).checked().replace(object).await
    }

    /// [`Api::modify`], if the server would accept the change.
    ///
    /// # Errors
    /// The error that the server would answer, or answers.
    pub async fn modify(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        self.api.write(Part::Main, name, params).checked().modify(change).await
    }

    /// [`Api::create_or_update`], if the server would accept the object.
    ///
    /// # Errors
    /// The error that the server would answer, or answers.
    pub async fn create_or_update(
        &self,
        params: &PostParams,
        object: &K,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error> {
        let name = name_of(object);
        self.api.write(Part::Main, &name, params).checked().ensure(object, change).await
    }
}

impl<K: Kind> Checked<K> {
    /// [`Api::apply`], if the server would accept the result, which [`Apply::check`] computes. The object is read
    /// first.
    ///
    /// # Errors
    /// When awaited: the error that the server would answer, or answers.
    pub fn apply<'a, C: ApplyConfiguration<Kind = K>>(
        &self,
        name: &'a str,
        config: &'a C,
        manager: &str,
    ) -> Apply<'a, K, C> {
        self.api.apply(name, config, manager).checked(Arc::clone(&self.schema), &self.alike)
    }
}

/// Writes of kinds with the status subresource.
impl<K: Kind> Checked<K> {
    /// [`Api::replace_status`], if the server would accept it.
    ///
    /// # Errors
    /// The error that the server would answer, or answers.
    pub async fn replace_status(
        &self,
        name: &str,
        params: &PostParams,
        object: &K,
    ) -> Result<K, Error>
    where
        K: HasStatus,
    {
        self.api.write(Part::Status, name, params).checked().replace(object).await
    }

    /// [`Api::modify_status`], if the server would accept the change.
    ///
    /// # Errors
    /// The error that the server would answer, or answers.
    pub async fn modify_status(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error>
    where
        K: HasStatus,
    {
        self.api.write(Part::Status, name, params).checked().modify(change).await
    }
}

/// Validates a new object.
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

/// What validates an apply.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) schema: Arc<CompiledSchema>,
    /// Versions with an equal schema.
    pub(super) alike: Vec<String>,
}

/// Validates an apply to `live`, or the creation by apply. `None` if only the server can tell.
pub(super) fn apply(
    asked: &Asked,
    rules: &Rules,
    declared: &JsonSchemaProps,
    config: &Value,
    params: &PatchParams,
    status: bool,
    live: Option<&Value>,
) -> Result<Option<Admitted>, Error> {
    let Rules { schema, alike } = rules;
    let reset: &[&str] = match (status, schema.resource().has_status) {
        (true, _) => &["metadata", "spec"],
        (false, true) => &["status"],
        (false, false) => &[],
    };
    let request = Request {
        schema: declared,
        kubernetes: schema.kubernetes(),
        config,
        manager: params.field_manager.as_deref().unwrap_or_default(),
        force: params.force,
        subresource: if status { "status" } else { "" },
        alike,
        reset,
    };
    let applied = match managed_fields::apply::foresee(&request, live) {
        Foreseen::Applied(object) => object,
        Foreseen::Conflicts(conflicts) => return Err(asked.fault(Fault::conflicts(&conflicts))),
        Foreseen::Unknown => return Ok(None),
    };
    let admitted = match live {
        None if status => return Ok(None),
        None => {
            let mut new = applied;
            fill_in(&mut new, asked.namespace.as_deref());
            admit::fit_merged(schema, new)
                .and_then(|fitted| admit::decide(schema, fitted, Operation::Create))
        }
        Some(live) => admit::fit_merged(schema, applied).and_then(|fitted| {
            let live = &admit::read(schema, live.clone())?;
            let over = if status { Operation::UpdateStatus(live) } else { Operation::Update(live) };
            admit::decide(schema, fitted, over)
        }),
    };
    let name = asked.name.as_deref().unwrap_or_default();
    let refused = |rejection| asked.fault(Fault::refused(schema, name, rejection));
    admitted.map(Some).map_err(refused)
}

/// Sets what the server sets before it validates.
fn fill_in(object: &mut Value, namespace: Option<&str>) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        if let Some(namespace) = namespace {
            metadata.entry("namespace").or_insert_with(|| namespace.into());
        }
        if !metadata.contains_key("name")
            && let Some(Value::String(prefix)) = metadata.get("generateName")
        {
            // A valid prefix is ASCII, so that it can be cut anywhere; another one is invalid however it is cut.
            let kept = prefix.get(..MAX_PREFIX_BYTES).unwrap_or(prefix);
            let name = format!("{kept}{GENERATED}");
            metadata.insert("name".to_owned(), name.into());
        }
    }
}

/// The schema that was derived from the type, compiled once for each minor that is asked for.
pub(super) fn schema_of<K: Kind>(
    kubernetes: KubernetesVersion,
) -> Result<Arc<CompiledSchema>, Fault> {
    type Known = HashMap<(TypeId, KubernetesVersion), Arc<CompiledSchema>>;
    static SCHEMAS: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let id = (TypeId::of::<K>(), kubernetes);
    // A schema is inserted as a whole, so the map is valid even if a thread has panicked while it held the lock.
    let known = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
    if let Some(schema) = known {
        return Ok(schema);
    }
    let version = <K as crate::CustomResource>::VERSION;
    let schema = CompiledSchema::for_version_on(&K::definition(), version, kubernetes);
    let schema = Arc::new(schema.map_err(Fault::Definition)?);
    SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&schema));
    Ok(schema)
}
