//! The types of a structural schema.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::model::{ExternalDocs, ValidationRule};

/// A schema outside of `allOf`, `anyOf`, `oneOf` and `not`: it specifies types and fields.
///
/// Source: `pkg/apiserver/schema/structural.go`, `Structural`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Structural {
    /// `items`
    pub items: Option<Box<Structural>>,
    /// `properties`; empty if absent.
    pub properties: BTreeMap<String, Structural>,
    /// `additionalProperties`
    pub additional_properties: Option<AdditionalProperties>,
    /// The type, the default, `nullable`, and the keywords that document a value.
    pub generic: Generic,
    /// The `x-kubernetes-` keywords except the rules.
    pub extensions: Extensions,
    /// `x-kubernetes-validations`
    pub rules: Option<Vec<ValidationRule>>,
    /// The keywords that validate values.
    pub validation: ValueValidation,
}

/// `additionalProperties` of a [`Structural`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AdditionalProperties {
    /// `true` or `false`
    Bool(bool),
    /// A schema.
    Schema(Box<Structural>),
}

/// The type, the default, `nullable`, and the keywords that document a value.
///
/// Source: `pkg/apiserver/schema/structural.go`, `Generic`.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is the keyword of that name")]
#[non_exhaustive]
pub struct Generic {
    pub description: String,
    pub type_: String,
    pub title: String,
    /// Never a JSON null, which counts as absent.
    pub default: Option<Value>,
    pub nullable: bool,
    pub external_docs: Option<ExternalDocs>,
    pub example: Option<Value>,
}

/// The `x-kubernetes-` keywords except the rules.
///
/// Source: `pkg/apiserver/schema/structural.go`, `Extensions`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the keyword of that name")]
#[non_exhaustive]
pub struct Extensions {
    pub preserve_unknown_fields: bool,
    pub embedded_resource: bool,
    pub int_or_string: bool,
    pub list_map_keys: Option<Vec<String>>,
    pub list_type: Option<String>,
    pub map_type: Option<String>,
}

/// The keywords that validate values.
///
/// Source: `pkg/apiserver/schema/structural.go`, `ValueValidation`.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is the keyword of that name")]
#[non_exhaustive]
pub struct ValueValidation {
    pub format: String,
    pub maximum: Option<f64>,
    pub exclusive_maximum: bool,
    pub minimum: Option<f64>,
    pub exclusive_minimum: bool,
    pub max_length: Option<i64>,
    pub min_length: Option<i64>,
    pub pattern: String,
    pub max_items: Option<i64>,
    pub min_items: Option<i64>,
    pub unique_items: bool,
    pub multiple_of: Option<f64>,
    pub enum_: Vec<Value>,
    pub max_properties: Option<i64>,
    pub min_properties: Option<i64>,
    pub required: Option<Vec<String>>,
    pub all_of: Vec<NestedValueValidation>,
    pub one_of: Vec<NestedValueValidation>,
    pub any_of: Vec<NestedValueValidation>,
    pub not: Option<Box<NestedValueValidation>>,
}

/// A schema within `allOf`, `anyOf`, `oneOf` or `not`: it validates values, and does not specify types or fields.
///
/// Source: `pkg/apiserver/schema/structural.go`, `NestedValueValidation`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct NestedValueValidation {
    /// The keywords that validate values.
    pub validation: ValueValidation,
    /// `x-kubernetes-validations`
    pub rules: Option<Vec<ValidationRule>>,
    /// `items`
    pub items: Option<Box<NestedValueValidation>>,
    /// `properties`
    pub properties: Option<BTreeMap<String, NestedValueValidation>>,
    /// `additionalProperties`
    pub additional_properties: Option<NestedAdditionalProperties>,
    /// Keywords that a structural schema must not have here.
    pub forbidden_generic: Generic,
    /// Keywords that a structural schema must not have here.
    pub forbidden_extensions: Extensions,
}

/// `additionalProperties` of a [`NestedValueValidation`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum NestedAdditionalProperties {
    /// `false`. The server's conversion drops it, so that the checks of structural schemas do not see it. Objects are
    /// validated by it.
    Forbidden,
    /// A schema; `true` is the empty one.
    Schema(Box<NestedValueValidation>),
}

impl Structural {
    /// Returns the schema of additional properties, if there is one.
    pub fn additional_schema(&self) -> Option<&Structural> {
        match &self.additional_properties {
            Some(AdditionalProperties::Schema(schema)) => Some(schema),
            Some(AdditionalProperties::Bool(_)) | None => None,
        }
    }
}
