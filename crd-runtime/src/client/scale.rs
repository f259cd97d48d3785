//! The scale subresource, of kinds that have one: `autoscaling/v1` `Scale`.

use std::fmt::Debug;

use kube::api::{Patch, PatchParams, PostParams};
use serde::Serialize;
use serde_json::json;

use super::api::Api;
use super::error::Error;
use super::kind::{Kind, to_vec};
use super::transport;
use crate::HasScale;

pub use k8s_openapi::api::autoscaling::v1::{Scale, ScaleSpec, ScaleStatus};

/// Calls of kinds with the scale subresource.
impl<K: Kind> Api<K> {
    /// Reads how many replicas an object should have, and how many it has.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_server_error`] if the object does not say how many it should have,
    /// and the errors of any call.
    pub async fn get_scale(&self, name: &str) -> Result<Scale, Error>
    where
        K: HasScale,
    {
        let context = self.context("get scale").name(name);
        let request = self.request().get_subresource("scale", name);
        transport::json(self.client(), &context, request).await
    }

    /// Replaces the scale of an object, and so the number of replicas that it should have.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`] if the resource version of the scale is old,
    /// [`Error::is_invalid`], and the errors of any call.
    pub async fn replace_scale(
        &self,
        name: &str,
        params: &PostParams,
        scale: &Scale,
    ) -> Result<Scale, Error>
    where
        K: HasScale,
    {
        let context = self.context("replace scale").name(name);
        let body = to_vec(&context, scale)?;
        let request = self.request().replace_subresource("scale", name, params, body);
        transport::json(self.client(), &context, request).await
    }

    /// Patches the scale of an object.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_invalid`], and the errors of any call.
    pub async fn patch_scale<P: Serialize + Debug>(
        &self,
        name: &str,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<Scale, Error>
    where
        K: HasScale,
    {
        let context = self.context("patch scale").name(name);
        let request = self.request().patch_subresource("scale", name, params, patch);
        transport::json(self.client(), &context, request).await
    }

    /// Sets how many replicas an object should have.
    ///
    /// # Errors
    /// Those of [`Api::patch_scale`].
    pub async fn set_replicas(&self, name: &str, replicas: i32) -> Result<Scale, Error>
    where
        K: HasScale,
    {
        let patch = Patch::Merge(json!({"spec": {"replicas": replicas}}));
        self.patch_scale(name, &PatchParams::default(), &patch).await
    }
}
