//! The Go types of a definition, in the form of `types.txt`.
//!
//! They have no pointers, because definitions are decoded by them, and encoded by [`crate::model`]. `o` marks a field
//! that is none in Go. `k=` is the key of a list.
//!
//! Source: `pkg/apis/apiextensions/v1/types.go` and `types_jsonschema.go` of apiextensions-apiserver.

/// The group of definitions.
pub const GROUP: &str = "apiextensions.k8s.io";
/// The type of a definition.
pub const ROOT: &str = "definition.v1.CustomResourceDefinition";
/// The type of a schema, the only type that contains itself.
pub const SCHEMA: &str = "definition.v1.JSONSchemaProps";

/// The Go type of a kind of keyword.
macro_rules! go_type {
    (text) => {
        "string"
    };
    (url) => {
        "definition.v1.JSONSchemaURL"
    };
    (flag) => {
        "bool"
    };
    (number) => {
        "float64"
    };
    (count) => {
        "int64"
    };
    (value) => {
        "definition.v1.JSON"
    };
    (values) => {
        "[]definition.v1.JSON"
    };
    (texts) => {
        "[]string"
    };
    (schema) => {
        "definition.v1.JSONSchemaProps"
    };
    (schemas) => {
        "[]definition.v1.JSONSchemaProps"
    };
    (properties) => {
        "map[string]definition.v1.JSONSchemaProps"
    };
    (definitions) => {
        "definition.v1.JSONSchemaDefinitions"
    };
    (dependencies) => {
        "definition.v1.JSONSchemaDependencies"
    };
    (items) => {
        "definition.v1.JSONSchemaPropsOrArray"
    };
    (schema_or_bool) => {
        "definition.v1.JSONSchemaPropsOrBool"
    };
    (docs) => {
        "definition.v1.ExternalDocumentation"
    };
    (rules) => {
        "definition.v1.ValidationRules k=rule"
    };
}

macro_rules! schema_lines {
    ($($(#[$meta:meta])* $field:ident: $type:ty = $json:literal, $go:literal, $k8s:ident, $kind:ident, $settings:literal;)*) => {
        concat!("definition.v1.JSONSchemaProps\n", $(" ", $json, " ", go_type!($kind), " ", $settings, "\n"),*)
    };
}

/// The types but for that of a schema.
pub(super) static TEXT: &str = include_str!("definition.txt");

/// The type of a schema, whose fields are the rows of the table of keywords.
pub(super) static SCHEMA_TEXT: &str = crd_model::schema_keywords!(schema_lines);
