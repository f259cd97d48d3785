//! The types of apiextensions.k8s.io/v1 and meta/v1 that this crate uses: only data, no validation.
//!
//! The API gets new fields: read the structs from JSON, or end an expression of one with `..Default::default()`.

mod conversion;
mod crd;
#[cfg(feature = "k8s-openapi")]
mod k8s_openapi;
mod keywords;
mod manifest;
mod object_meta;
mod schema_or;
mod schema_props;

#[cfg(feature = "k8s-openapi")]
pub use self::k8s_openapi::to_k8s;
pub use crd::{
    Conversion, CustomResourceDefinition, CustomResourceDefinitionSpec,
    CustomResourceDefinitionStatus, CustomResourceDefinitionVersion, Names, PrinterColumn, Scale,
    SelectableField, ServiceReference, StatusSubresource, Subresources, VersionSchema,
    WebhookClientConfig, WebhookConversion,
};
pub use manifest::Manifest;
pub use manifest::to_lower;
pub use object_meta::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
pub use schema_props::{
    ExternalDocs, JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings, ValidationRule,
};
