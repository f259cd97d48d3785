//! `CustomResourceDefinition` of apiextensions.k8s.io/v1.

#![expect(missing_docs, reason = "each field is the API's field of that name")]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::schema_props::is_false;
use super::{JsonSchemaProps, ObjectMeta};

/// A CustomResourceDefinition.
///
/// Source: `pkg/apis/apiextensions/v1/types.go`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomResourceDefinition {
    pub api_version: String,
    pub kind: String,
    pub metadata: ObjectMeta,
    pub spec: CustomResourceDefinitionSpec,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<CustomResourceDefinitionStatus>,
}

/// The `spec` of a CustomResourceDefinition.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomResourceDefinitionSpec {
    pub group: String,
    pub names: Names,
    /// `Namespaced` or `Cluster`.
    pub scope: String,
    pub versions: Vec<CustomResourceDefinitionVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion: Option<Conversion>,
    #[serde(skip_serializing_if = "is_false")]
    pub preserve_unknown_fields: bool,
}

/// The names of a kind and its resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Names {
    pub plural: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub singular: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    pub kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub list_kind: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

/// One version.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomResourceDefinitionVersion {
    pub name: String,
    pub served: bool,
    pub storage: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub deprecated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecation_warning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<VersionSchema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subresources: Option<Subresources>,
    /// The server distinguishes an empty list from an absent one in its responses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_printer_columns: Option<Vec<PrinterColumn>>,
    /// The server distinguishes an empty list from an absent one in its responses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selectable_fields: Option<Vec<SelectableField>>,
}

/// `CustomResourceValidation`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VersionSchema {
    #[serde(rename = "openAPIV3Schema", skip_serializing_if = "Option::is_none")]
    pub open_api_v3_schema: Option<JsonSchemaProps>,
}

/// `CustomResourceSubresources`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Subresources {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusSubresource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
}

/// `CustomResourceSubresourceStatus`, which has no fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusSubresource {}

/// `CustomResourceSubresourceScale`: JSON paths under `.spec` and `.status`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Scale {
    pub spec_replicas_path: String,
    pub status_replicas_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_selector_path: Option<String>,
}

/// `CustomResourceColumnDefinition`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PrinterColumn {
    pub name: String,
    #[serde(rename = "type")]
    pub type_: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub format: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "is_zero")]
    pub priority: i32,
    pub json_path: String,
}

impl PrinterColumn {
    /// Creates a column of `kubectl get` from its heading, its type (`string`, `integer`, `number`, `boolean` or
    /// `date`), and the JSON path of what it shows, such as `.spec.replicas`.
    pub fn new(
        name: impl Into<String>,
        type_: impl Into<String>,
        json_path: impl Into<String>,
    ) -> Self {
        let (name, type_, json_path) = (name.into(), type_.into(), json_path.into());
        Self { name, type_, json_path, ..Self::default() }
    }
}

/// `SelectableField`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SelectableField {
    pub json_path: String,
}

impl SelectableField {
    /// Creates a field that field selectors can use, from its JSON path, such as `.spec.color`.
    pub fn new(json_path: impl Into<String>) -> Self {
        Self { json_path: json_path.into() }
    }
}

/// `CustomResourceConversion`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conversion {
    pub strategy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookConversion>,
}

/// `WebhookConversion`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WebhookConversion {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_config: Option<WebhookClientConfig>,
    pub conversion_review_versions: Vec<String>,
}

/// `WebhookClientConfig`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WebhookClientConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceReference>,
    /// PEM, base64-encoded as in the manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca_bundle: Option<String>,
}

/// `ServiceReference`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServiceReference {
    pub namespace: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<i32>,
}

/// The `status` of a CustomResourceDefinition, which the server sets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CustomResourceDefinitionStatus {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Value>,
    pub accepted_names: Names,
    pub stored_versions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &i32) -> bool {
    *value == 0
}
