//! Writes that are validated before they are sent: what the server would reject is not sent.
//!
//! The validation knows only the derived definition. It does not know whether the server has a different definition,
//! nor its admission plugins, webhooks, quotas and permissions.

use std::sync::Arc;

use kube::api::PostParams;

use super::api::Api;
use super::apply::Apply;
use super::error::{Error, ErrorKind};
use super::kind::{Kind, name_of, schema_of, to_json};
use super::modify::{Part, WriteResult};
use super::preflight;
use crate::HasStatus;
use crate::admit::{self, Admitted};
use crate::apply::ApplyConfiguration;
use crate::compiled::CompiledSchema;
use crate::model::{CustomResourceDefinitionVersion, JsonSchemaProps, SchemaOrArray, SchemaOrBool};
use crate::versions::Versions;

/// An [`Api`] whose writes are validated before they are sent. [`Api::checked`] creates it.
///
/// Its [`Error`]s have the status, message and field errors that the server would answer; if [`Error::is_preflight`]
/// is true, nothing was written.
#[derive(Debug, Clone)]
pub struct Checked<K: Clone> {
    api: Api<K>,
    schema: Arc<CompiledSchema>,
    /// The versions with an equal schema.
    equivalent_versions: Vec<String>,
}

impl<K: Kind> Api<K> {
    /// Returns an API of the same objects whose writes are validated against the derived definition before they are
    /// sent.
    ///
    /// # Errors
    /// [`ErrorKind::Definition`] if the derived schema is not structural, which a test with `definition::validate`
    /// finds.
    pub fn checked(&self) -> Result<Checked<K>, Error> {
        let schema =
            schema_of::<K>(self.kubernetes()).map_err(|kind| self.context("check").error(kind))?;
        Ok(Checked { api: self.clone(), schema, equivalent_versions: Vec::new() })
    }
}

impl<K: Kind> Checked<K> {
    /// Returns the API without validation, for calls that only read.
    pub const fn api(&self) -> &Api<K> {
        &self.api
    }

    /// Names the versions of the kind. An apply is then validated even if managers have written in another version,
    /// provided that the schemas of both versions are equal except for descriptions. Otherwise only the server checks
    /// it.
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
    /// jobs.checked()?.with_versions::<(v1beta1::Job, v1::Job)>()
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Request`] if the types are not versions of this kind, or if a webhook converts between them.
    pub fn with_versions<V: Versions>(mut self) -> Result<Self, Error> {
        let request_error = |why: String| self.api.context("check").error(ErrorKind::request(why));
        let merged = V::merged().map_err(|error| request_error(error.to_string()))?;
        let name = K::crd_name();
        if merged.metadata.name != name {
            return Err(request_error(format!(
                "these are versions of {}, not of {name}",
                merged.metadata.name
            )));
        }
        let strategy = merged.spec.conversion.as_ref().map_or("None", |it| &*it.strategy);
        if strategy != "None" {
            let why = "a webhook converts between the versions: leave `with_versions` out, and the server decides";
            return Err(request_error(why.to_owned()));
        }
        let own = self.schema.resource().version.clone();
        let own = merged.spec.versions.iter().find(|it| it.name == own).map(undescribed);
        let versions = merged.spec.versions.iter().filter(|it| Some(undescribed(it)) == own);
        self.equivalent_versions =
            versions.map(|it| format!("{}/{}", merged.spec.group, it.name)).collect();
        Ok(self)
    }

    /// Computes what the server would answer to the creation of an object, without a request.
    ///
    /// # Errors
    /// If the server would reject the object.
    pub fn check_create(&self, object: &K) -> Result<Admitted, Error> {
        preflight::create(&self.api, &self.schema, object)
    }

    /// Computes what the server would answer to a replacement of `old` by `object`, without a request.
    ///
    /// # Errors
    /// If the server would reject the object.
    pub fn check_replace(&self, object: &K, old: &K) -> Result<Admitted, Error> {
        let name = name_of(object);
        let context = self.api.context("replace").name(&name);
        let (new, old) = (to_json(&context, object)?, to_json(&context, old)?);
        admit::update(&self.schema, new, &old)
            .map_err(|rejection| context.error(ErrorKind::rejected(&self.schema, &name, rejection)))
    }

    /// Calls [`Api::create`] if the server would create the object.
    ///
    /// # Errors
    /// If the server would reject the object, which is then not sent, or if the request fails.
    pub async fn create(&self, params: &PostParams, object: &K) -> Result<K, Error> {
        self.check_create(object)?;
        self.api.create(params, object).await
    }

    /// Calls [`Api::replace`] if the server would accept `object` in place of the stored one.
    ///
    /// # Errors
    /// If the server would reject the object, which is then not sent, or if the request fails.
    pub async fn replace(&self, name: &str, params: &PostParams, object: &K) -> Result<K, Error> {
        self.api.write(Part::Main, name, params).checked().replace(object).await
    }

    /// Calls [`Api::modify`]; a change that the server would reject is not sent.
    ///
    /// # Errors
    /// If the server would reject the object, which is then not sent, or if the request fails.
    pub async fn modify(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error> {
        self.api.write(Part::Main, name, params).checked().modify(change).await
    }

    /// Calls [`Api::create_or_update`]; an object that the server would reject is not sent.
    ///
    /// # Errors
    /// If the server would reject the object, which is then not sent, or if the request fails.
    pub async fn create_or_update(
        &self,
        params: &PostParams,
        object: &K,
        change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error> {
        let name = name_of(object);
        self.api.write(Part::Main, &name, params).checked().ensure(object, change).await
    }
}

impl<K: Kind> Checked<K> {
    /// Calls [`Api::apply`] if the server would accept the result, which [`Apply::check`] computes. The stored
    /// object is read first.
    ///
    /// # Errors
    /// When awaited: if the server would reject the result, which is then not sent, or if a request fails.
    pub fn apply<'a, C: ApplyConfiguration<Kind = K>>(
        &self,
        name: &'a str,
        config: &'a C,
        manager: &str,
    ) -> Apply<'a, K, C> {
        self.api
            .apply(name, config, manager)
            .checked(Arc::clone(&self.schema), &self.equivalent_versions)
    }
}

/// Writes of kinds with the status subresource.
impl<K: Kind> Checked<K> {
    /// Calls [`Api::replace_status`] if the server would accept the status.
    ///
    /// # Errors
    /// If the server would reject the object, which is then not sent, or if the request fails.
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

    /// Calls [`Api::modify_status`]; a change that the server would reject is not sent.
    ///
    /// # Errors
    /// If the server would reject the object, which is then not sent, or if the request fails.
    pub async fn modify_status(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error>
    where
        K: HasStatus,
    {
        self.api.write(Part::Status, name, params).checked().modify(change).await
    }
}

/// Returns the schema of a version without descriptions.
fn undescribed(version: &CustomResourceDefinitionVersion) -> Option<JsonSchemaProps> {
    let mut schema = version.schema.as_ref()?.open_api_v3_schema.clone()?;
    undescribe(&mut schema);
    Some(schema)
}

/// Removes the descriptions of a schema and of the schemas in it. The recursion follows the types of a derived kind.
/// Junctors have no descriptions, because structural schemas forbid them there.
fn undescribe(schema: &mut JsonSchemaProps) {
    schema.description.clear();
    for property in schema.properties.iter_mut().flat_map(|properties| properties.values_mut()) {
        undescribe(Arc::make_mut(property));
    }
    if let Some(SchemaOrArray::Schema(items)) = &mut schema.items {
        undescribe(items);
    }
    if let Some(SchemaOrBool::Schema(values)) = &mut schema.additional_properties {
        undescribe(values);
    }
}
