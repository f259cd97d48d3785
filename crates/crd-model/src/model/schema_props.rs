//! `JSONSchemaProps`: an OpenAPI v3 schema as a CRD writes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// Whether a keyword is absent in JSON.
trait Keyword {
    fn is_absent(&self) -> bool;
}

impl Keyword for String {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Keyword for bool {
    fn is_absent(&self) -> bool {
        !self
    }
}

impl<T> Keyword for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

macro_rules! schema_props {
    ($($(#[$meta:meta])* $field:ident: $type:ty = $json:literal, $go:literal, $k8s:ident, $kind:ident, $settings:literal;)*) => {
        /// `JSONSchemaProps` of apiextensions.k8s.io/v1. Absent keys are `None`, empty or `false`.
        ///
        /// Lists and maps are optional, because the server distinguishes an empty value from an absent key in some
        /// places.
        ///
        /// Source: `pkg/apis/apiextensions/v1/types_jsonschema.go`.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        #[expect(missing_docs, reason = "each field is the keyword of that name")]
        pub struct JsonSchemaProps {$(
            $(#[$meta])*
            #[serde(rename = $json, skip_serializing_if = "Keyword::is_absent")]
            pub $field: $type,
        )*}
    };
}

crate::schema_keywords!(schema_props);

impl JsonSchemaProps {
    /// Creates a schema with only a `type`, such as `string`.
    ///
    /// ```
    /// # use crd_runtime::model::JsonSchemaProps;
    /// let mut port = JsonSchemaProps::of_type("integer");
    /// port.minimum = Some(1.0);
    /// port.maximum = Some(65535.0);
    /// # assert_eq!(serde_json::to_value(port).unwrap(), serde_json::json!({"type": "integer", "minimum": 1, "maximum": 65535}));
    /// ```
    pub fn of_type(type_: impl Into<String>) -> Self {
        Self { type_: type_.into(), ..Self::default() }
    }
}

/// `externalDocs`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is the keyword of that name")]
pub struct ExternalDocs {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
}

/// `items`: a schema, or a list of schemas, which JSON Schema allows and structural schemas do not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SchemaOrArray {
    /// A list of schemas.
    Array(Vec<JsonSchemaProps>),
    /// A schema.
    Schema(Box<JsonSchemaProps>),
    /// Any other value: the keyword is present, and has no schema. Decoding a definition replaces the value by `true`.
    Neither(bool),
}

/// `additionalProperties` and `additionalItems`: a schema or a bool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SchemaOrBool {
    /// `true` or `false`.
    Bool(bool),
    /// A schema.
    Schema(Box<JsonSchemaProps>),
}

/// A member of `dependencies`: a schema or property names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SchemaOrStrings {
    /// Property names.
    Strings(Vec<String>),
    /// A schema.
    Schema(Box<JsonSchemaProps>),
}

/// A member of `x-kubernetes-validations`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ValidationRule {
    /// The CEL expression that must be true.
    pub rule: String,
    /// The error message if the expression is false.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// A CEL expression that returns the error message.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message_expression: String,
    /// The kind of error. Default: `FieldValueInvalid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The field at which the error is reported, relative to the schema.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field_path: String,
    /// Whether `oldSelf` is an optional and the rule also runs without an old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional_old_self: Option<bool>,
}

impl ValidationRule {
    /// Creates a rule without a message of its own.
    pub fn new(rule: impl Into<String>) -> Self {
        Self { rule: rule.into(), ..Self::default() }
    }
}

/// 2^53: from here on, one float stands for several integers.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes a bound as Go and kubectl do: `10`, not `10.0`.
#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match *value {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        Some(number) if number.fract() == 0.0 && number.abs() < MAX_EXACT => {
            serializer.serialize_i64(number as i64)
        }
        Some(number) => serializer.serialize_f64(number),
        None => serializer.serialize_none(),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_false(value: &bool) -> bool {
    !value
}
