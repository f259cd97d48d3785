//! The status subresource, of kinds that have one.

use kube::api::{Patch, PatchParams, PostParams};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api::Api;
use super::error::Error;
use super::kind::Kind;
use super::modify::{Part, WriteResult};
use super::transport;
use crate::HasStatus;

/// Calls of kinds with the status subresource.
impl<K: Kind> Api<K> {
    /// Reads the status of an object; `None` if nothing has been reported yet.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_type_mismatch`], and the errors of any call.
    pub async fn get_status(&self, name: &str) -> Result<Option<K::Status>, Error>
    where
        K: HasStatus,
        K::Status: DeserializeOwned,
    {
        let context = self.context("get status").name(name);
        let request = self.request().get_subresource("status", name);
        let object: Value = transport::json(self.client(), &context, request).await?;
        let status = object.get("status").unwrap_or(&Value::Null);
        Option::deserialize(status)
            .map_err(|error| transport::mismatch::<K>(&context, &object, error))
    }

    /// Replaces the status of an object that was read before. The server accepts it only if the stored object still
    /// has its resource version. The rest of the object is not written.
    ///
    /// Fields of the stored status that the Rust type does not have are kept, as by [`Api::replace`].
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`], [`Error::is_invalid`], and the errors of any call.
    pub async fn replace_status(
        &self,
        name: &str,
        params: &PostParams,
        object: &K,
    ) -> Result<K, Error>
    where
        K: HasStatus,
    {
        self.write(Part::Status, name, params).replace(object).await
    }

    /// Reads an object, changes its status, and writes the status. If somebody else changes the object meanwhile, it
    /// starts again. Changes outside of the status are not written.
    ///
    /// # Errors
    /// Those of [`Api::modify`].
    pub async fn modify_status(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<WriteResult<K>, Error>
    where
        K: HasStatus,
    {
        self.write(Part::Status, name, params).modify(change).await
    }

    /// Merges a status into the stored one with a merge patch: fields that serde skips keep their values.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_invalid`], and the errors of any call.
    pub async fn patch_status(
        &self,
        name: &str,
        params: &PatchParams,
        status: &K::Status,
    ) -> Result<K, Error>
    where
        K: HasStatus,
        K::Status: Serialize,
    {
        let context = self.context("patch status").name(name);
        let patch = Patch::Merge(json!({"status": status}));
        let request = self.request().patch_subresource("status", name, params, &patch);
        transport::object(self.client(), &context, request).await
    }

    /// Applies a status for the manager of `params`: fields that it has applied before and that serde skips now are
    /// removed.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::manager_conflicts`] if other managers own fields,
    /// [`Error::is_invalid`], and the errors of any call.
    pub async fn apply_status(
        &self,
        name: &str,
        params: &PatchParams,
        status: &K::Status,
    ) -> Result<K, Error>
    where
        K: HasStatus,
        K::Status: Serialize,
    {
        let context = self.context("apply status").name(name);
        let patch = Patch::Apply(json!({
            "apiVersion": K::API_VERSION,
            "kind": <K as crate::CustomResource>::KIND,
            "metadata": {"name": name},
            "status": status,
        }));
        let request = self.request().patch_subresource("status", name, params, &patch);
        transport::object(self.client(), &context, request).await
    }
}
