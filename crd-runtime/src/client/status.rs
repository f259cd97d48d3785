//! The status subresource, of kinds that have one.

use kube::api::{Patch, PatchParams, PostParams};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api::{Api, Kind};
use super::error::Error;
use super::modify::{Part, Written};
use super::transport;
use crate::HasStatus;

/// Calls of kinds with the status subresource.
impl<K: Kind> Api<K> {
    /// Reads the status of an object; `None` if nothing has been reported yet.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_misfit`], and all that a call can meet.
    pub async fn get_status(&self, name: &str) -> Result<Option<K::Status>, Error>
    where
        K: HasStatus,
        K::Status: DeserializeOwned,
    {
        let asked = self.asked("get status").name(name);
        let request = self.request().get_subresource("status", name);
        let object: Value = transport::json(self.client(), &asked, request).await?;
        let status = object.get("status").unwrap_or(&Value::Null);
        Option::deserialize(status).map_err(|error| transport::misfit::<K>(&asked, &object, error))
    }

    /// Replaces the status of an object that was read before, as its resource version says. Of the rest of
    /// the object nothing is written.
    ///
    /// Fields of the stored status that the Rust type does not know are kept, as by [`Api::replace`].
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`], [`Error::is_invalid`], and all that a call can meet.
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

    /// Reads an object, changes its status, and writes that; anew where others have changed the object
    /// meanwhile. Other changes are not written.
    ///
    /// # Errors
    /// Those of [`Api::modify`].
    pub async fn modify_status(
        &self,
        name: &str,
        params: &PostParams,
        change: impl FnMut(&mut K),
    ) -> Result<Written<K>, Error>
    where
        K: HasStatus,
    {
        self.write(Part::Status, name, params).modify(change).await
    }

    /// Merges a status into the one that is there, whatever that is: fields that serde skips stay.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_invalid`], and all that a call can meet.
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
        let asked = self.asked("patch status").name(name);
        let patch = Patch::Merge(json!({"status": status}));
        let request = self.request().patch_subresource("status", name, params, &patch);
        transport::object(self.client(), &asked, request).await
    }

    /// Applies a status as what the manager of `params` says of it: fields that it said before and that serde
    /// skips now are removed.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::manager_conflicts`] where others own fields,
    /// [`Error::is_invalid`], and all that a call can meet.
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
        let asked = self.asked("apply status").name(name);
        let patch = Patch::Apply(json!({
            "apiVersion": K::API_VERSION,
            "kind": <K as crate::CustomResource>::KIND,
            "metadata": {"name": name},
            "status": status,
        }));
        let request = self.request().patch_subresource("status", name, params, &patch);
        transport::object(self.client(), &asked, request).await
    }
}
