//! The types of apiextensions.k8s.io/v1 and meta/v1 that this crate uses: only data, no validation.
//!
//! The structs are `#[non_exhaustive]`, because the API gets new fields: read them from JSON, or start from
//! `default()` or `new(..)` and assign the fields that differ.

mod conversion;
mod crd;
#[cfg(feature = "derive")]
mod k8s_openapi;
mod manifest;
mod object_meta;
mod schema_or;
mod schema_props;

#[cfg(feature = "derive")]
pub(crate) use self::k8s_openapi::to_k8s;
pub use crd::{
    Conversion, CustomResourceDefinition, CustomResourceDefinitionSpec,
    CustomResourceDefinitionStatus, CustomResourceDefinitionVersion, Names, PrinterColumn, Scale,
    SelectableField, ServiceReference, StatusSubresource, Subresources, VersionSchema,
    WebhookClientConfig, WebhookConversion,
};
pub use manifest::Manifest;
pub(crate) use manifest::to_lower;
pub use object_meta::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
pub use schema_props::{
    ExternalDocs, JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings, ValidationRule,
};
