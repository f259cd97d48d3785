//! The metadata of an apply configuration.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference, Time};
use serde::{Deserialize, Serialize};

/// Metadata with every field optional. Fields that only the server sets exist so that an object can be converted.
///
/// Source: client-go `applyconfigurations/meta/v1/objectmeta.go`, `ObjectMetaApplyConfiguration`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ObjectMetaApply {
    /// The name. `client::Api::apply` sets it to its argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A prefix for a generated name. Apply ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate_name: Option<String>,
    /// The namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The object must be the one with this UID, or the server answers with a conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The object must have this resource version, or the server answers with a conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<String>,
    /// Set by the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// Set by the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<Time>,
    /// Set by the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<Time>,
    /// Set by the server. In seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_grace_period_seconds: Option<i64>,
    /// Labels. Each has its own owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, String>>,
    /// Annotations. Each has its own owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, String>>,
    /// Owner references, identified by `uid`. Each has its own field owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_references: Option<Vec<OwnerReference>>,
    /// Finalizers. Each has its own owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizers: Option<Vec<String>>,
}

impl ObjectMetaApply {
    /// Metadata without any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no field is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Sets the name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Sets the resource version that the object must have.
    #[must_use]
    pub fn resource_version(mut self, version: impl Into<String>) -> Self {
        self.resource_version = Some(version.into());
        self
    }

    /// Sets one label.
    #[must_use]
    pub fn label(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels([(key, value)])
    }

    /// Adds labels, replacing those with the same keys.
    #[must_use]
    pub fn labels(
        mut self,
        labels: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        put(&mut self.labels, labels);
        self
    }

    /// Sets one annotation.
    #[must_use]
    pub fn annotation(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.annotations([(key, value)])
    }

    /// Adds annotations, replacing those with the same keys.
    #[must_use]
    pub fn annotations(
        mut self,
        annotations: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        put(&mut self.annotations, annotations);
        self
    }

    /// Adds owners.
    #[must_use]
    pub fn owner_references(mut self, owners: impl IntoIterator<Item = OwnerReference>) -> Self {
        self.owner_references.get_or_insert_default().extend(owners);
        self
    }

    /// Adds finalizers.
    #[must_use]
    pub fn finalizers(mut self, finalizers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.finalizers.get_or_insert_default().extend(finalizers.into_iter().map(Into::into));
        self
    }
}

fn put(
    into: &mut Option<BTreeMap<String, String>>,
    entries: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
) {
    let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
    into.get_or_insert_default().extend(entries);
}

impl From<ObjectMeta> for ObjectMetaApply {
    /// Copies all fields except `managedFields`, which the server rejects in an apply, and `selfLink`, which it no
    /// longer has.
    fn from(meta: ObjectMeta) -> Self {
        Self {
            name: meta.name,
            generate_name: meta.generate_name,
            namespace: meta.namespace,
            uid: meta.uid,
            resource_version: meta.resource_version,
            generation: meta.generation,
            creation_timestamp: meta.creation_timestamp,
            deletion_timestamp: meta.deletion_timestamp,
            deletion_grace_period_seconds: meta.deletion_grace_period_seconds,
            labels: meta.labels,
            annotations: meta.annotations,
            owner_references: meta.owner_references,
            finalizers: meta.finalizers,
        }
    }
}
