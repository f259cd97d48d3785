//! Converts a `JSONSchemaProps` to a [`Structural`], or returns the server's error.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::structural::{
    AdditionalProperties, Extensions, Generic, NestedAdditionalProperties, NestedValueValidation,
    Structural, ValueValidation,
};
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// The largest number of schemas that may be nested in each other.
///
/// Divergence: the server limits only the JSON text, to 10,000 levels. This limit keeps recursion over a schema within
/// the stack of a thread.
pub const MAX_SCHEMA_DEPTH: usize = 64;

/// Why a schema cannot be structural. Displayed with the server's text.
///
/// Source: `pkg/apiserver/schema/convert.go`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvertError {
    /// A keyword that structural schemas do not have.
    Unsupported(&'static str),
    /// `items` is a list of schemas.
    ItemsIsArray,
    /// `x-kubernetes-preserve-unknown-fields: false`
    PreserveUnknownFieldsIsFalse,
    /// More than [`MAX_SCHEMA_DEPTH`] schemas are nested in each other.
    TooDeep,
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(keyword) => {
                write!(f, "OpenAPIV3Schema '{keyword}' is not supported")
            }
            Self::ItemsIsArray => {
                f.write_str("OpenAPIV3Schema 'items' must be a schema, but is an array")
            }
            Self::PreserveUnknownFieldsIsFalse => f.write_str(
                "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
            ),
            Self::TooDeep => {
                write!(f, "OpenAPIV3Schema is nested deeper than {MAX_SCHEMA_DEPTH} schemas")
            }
        }
    }
}

impl std::error::Error for ConvertError {}

impl TryFrom<&JsonSchemaProps> for Structural {
    type Error = ConvertError;

    /// Source: `pkg/apiserver/schema/convert.go`, `NewStructural`.
    fn try_from(props: &JsonSchemaProps) -> Result<Self, ConvertError> {
        structural(props, 0)
    }
}

fn structural(props: &JsonSchemaProps, depth: usize) -> Result<Structural, ConvertError> {
    check_supported(props, depth)?;
    let validation = value_validation(props, depth)?;
    let generic = generic(props);
    let extensions = extensions(props)?;
    let items = match &props.items {
        Some(items) => schema_of_items(items)?
            .map(|items| structural(items, depth + 1).map(Box::new))
            .transpose()?,
        None => None,
    };
    let mut properties = BTreeMap::new();
    for (name, property) in props.properties.iter().flatten() {
        properties.insert(name.clone(), structural(property, depth + 1)?);
    }
    let additional_properties = match &props.additional_properties {
        Some(SchemaOrBool::Schema(schema)) => {
            Some(AdditionalProperties::Schema(Box::new(structural(schema, depth + 1)?)))
        }
        Some(SchemaOrBool::Bool(allows)) => Some(AdditionalProperties::Bool(*allows)),
        None => None,
    };
    let rules = props.x_validations.clone();
    Ok(Structural {
        items,
        properties,
        additional_properties,
        generic,
        extensions,
        rules,
        validation,
    })
}

fn nested(props: &JsonSchemaProps, depth: usize) -> Result<NestedValueValidation, ConvertError> {
    check_supported(props, depth)?;
    let validation = value_validation(props, depth)?;
    let forbidden_generic = generic(props);
    let forbidden_extensions = extensions(props)?;
    let items = match &props.items {
        Some(items) => schema_of_items(items)?
            .map(|items| nested(items, depth + 1).map(Box::new))
            .transpose()?,
        None => None,
    };
    let properties = match &props.properties {
        Some(properties) => Some(
            properties
                .iter()
                .map(|(name, property)| Ok((name.clone(), nested(property, depth + 1)?)))
                .collect::<Result<_, _>>()?,
        ),
        None => None,
    };
    let additional_properties = match &props.additional_properties {
        Some(SchemaOrBool::Schema(schema)) => {
            Some(NestedAdditionalProperties::Schema(Box::new(nested(schema, depth + 1)?)))
        }
        Some(SchemaOrBool::Bool(true)) => Some(NestedAdditionalProperties::Schema(Box::default())),
        Some(SchemaOrBool::Bool(false)) => Some(NestedAdditionalProperties::Forbidden),
        None => None,
    };
    Ok(NestedValueValidation {
        validation,
        rules: props.x_validations.clone(),
        items,
        properties,
        additional_properties,
        forbidden_generic,
        forbidden_extensions,
    })
}

/// Returns the single schema of `items`. An empty list counts as no schema, and a list of schemas is an error.
fn schema_of_items(items: &SchemaOrArray) -> Result<Option<&JsonSchemaProps>, ConvertError> {
    match items {
        SchemaOrArray::Schema(schema) => Ok(Some(schema)),
        SchemaOrArray::Array(schemas) if schemas.is_empty() => Ok(None),
        SchemaOrArray::Neither(_) => Ok(None),
        SchemaOrArray::Array(_) => Err(ConvertError::ItemsIsArray),
    }
}

fn check_supported(props: &JsonSchemaProps, depth: usize) -> Result<(), ConvertError> {
    let not_empty = |is_empty: Option<bool>| is_empty == Some(false);
    let unsupported = [
        ("id", !props.id.is_empty()),
        ("schema", !props.schema.is_empty()),
        ("$ref", props.ref_.as_ref().is_some_and(|target| !target.is_empty())),
        ("patternProperties", not_empty(props.pattern_properties.as_ref().map(BTreeMap::is_empty))),
        ("dependencies", not_empty(props.dependencies.as_ref().map(BTreeMap::is_empty))),
        ("additionalItems", props.additional_items.is_some()),
        ("definitions", not_empty(props.definitions.as_ref().map(BTreeMap::is_empty))),
    ];
    if let Some((keyword, _)) = unsupported.into_iter().find(|(_, present)| *present) {
        return Err(ConvertError::Unsupported(keyword));
    }
    if depth >= MAX_SCHEMA_DEPTH {
        return Err(ConvertError::TooDeep);
    }
    Ok(())
}

fn value_validation(
    props: &JsonSchemaProps,
    depth: usize,
) -> Result<ValueValidation, ConvertError> {
    let all = |schemas: &Option<Vec<JsonSchemaProps>>| {
        schemas
            .iter()
            .flatten()
            .map(|schema| nested(schema, depth + 1))
            .collect::<Result<Vec<_>, _>>()
    };
    let not = props.not.as_ref().map(|not| nested(not, depth + 1).map(Box::new)).transpose()?;
    Ok(ValueValidation {
        format: props.format.clone(),
        maximum: props.maximum,
        exclusive_maximum: props.exclusive_maximum,
        minimum: props.minimum,
        exclusive_minimum: props.exclusive_minimum,
        max_length: props.max_length,
        min_length: props.min_length,
        pattern: props.pattern.clone(),
        max_items: props.max_items,
        min_items: props.min_items,
        unique_items: props.unique_items,
        multiple_of: props.multiple_of,
        enum_: props.enum_.clone().unwrap_or_default(),
        max_properties: props.max_properties,
        min_properties: props.min_properties,
        required: props.required.clone(),
        // In the server's order, because only the first error is returned.
        all_of: all(&props.all_of)?,
        any_of: all(&props.any_of)?,
        one_of: all(&props.one_of)?,
        not,
    })
}

fn generic(props: &JsonSchemaProps) -> Generic {
    let not_null = |value: &Option<Value>| value.clone().filter(|value| !value.is_null());
    Generic {
        description: props.description.clone(),
        type_: props.type_.clone(),
        title: props.title.clone(),
        default: not_null(&props.default),
        nullable: props.nullable,
        external_docs: props.external_docs.clone(),
        example: not_null(&props.example),
    }
}

fn extensions(props: &JsonSchemaProps) -> Result<Extensions, ConvertError> {
    if props.x_preserve_unknown_fields == Some(false) {
        return Err(ConvertError::PreserveUnknownFieldsIsFalse);
    }
    Ok(Extensions {
        preserve_unknown_fields: props.x_preserve_unknown_fields.is_some(),
        embedded_resource: props.x_embedded_resource,
        int_or_string: props.x_int_or_string,
        list_map_keys: props.x_list_map_keys.clone(),
        list_type: props.x_list_type.clone(),
        map_type: props.x_map_type.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &str, want: &str) {
        let props: JsonSchemaProps = serde_json::from_str(schema).unwrap();
        let got = match Structural::try_from(&props) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{schema}");
    }

    #[test]
    fn keywords_outside_structural_schemas_are_named() {
        check(r#"{"id":"x"}"#, "OpenAPIV3Schema 'id' is not supported");
        check(r#"{"$schema":"x"}"#, "OpenAPIV3Schema 'schema' is not supported");
        check(r##"{"$ref":"#/x"}"##, "OpenAPIV3Schema '$ref' is not supported");
        check(r#"{"$ref":""}"#, "");
        check(
            r#"{"patternProperties":{"a":{}}}"#,
            "OpenAPIV3Schema 'patternProperties' is not supported",
        );
        check(r#"{"patternProperties":{}}"#, "");
        check(r#"{"dependencies":{"a":["b"]}}"#, "OpenAPIV3Schema 'dependencies' is not supported");
        check(r#"{"additionalItems":true}"#, "OpenAPIV3Schema 'additionalItems' is not supported");
        check(r#"{"definitions":{"a":{}}}"#, "OpenAPIV3Schema 'definitions' is not supported");
        check(r#"{"items":[{}]}"#, "OpenAPIV3Schema 'items' must be a schema, but is an array");
        check(r#"{"items":[]}"#, "");
        check(
            r#"{"properties":{"a":{"not":{"x-kubernetes-preserve-unknown-fields":false}}}}"#,
            "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
        );
    }

    #[test]
    fn the_first_error_in_the_servers_order_wins() {
        check(r#"{"not":{"id":"x"},"items":[{}]}"#, "OpenAPIV3Schema 'id' is not supported");
        check(
            r#"{"oneOf":[{"definitions":{"a":{}}}],"allOf":[{"$schema":"x"}]}"#,
            "OpenAPIV3Schema 'schema' is not supported",
        );
    }

    #[test]
    fn keywords_are_grouped() {
        let props: JsonSchemaProps = serde_json::from_str(
            r#"{"type":"object","properties":{},"default":null,"additionalProperties":false,
                "not":{"properties":{},"additionalProperties":false,"required":["a"]},
                "anyOf":[{"additionalProperties":true}]}"#,
        )
        .unwrap();
        let structural = Structural::try_from(&props).unwrap();
        assert!(structural.properties.is_empty());
        assert_eq!(structural.generic.default, None);
        assert_eq!(structural.additional_properties, Some(AdditionalProperties::Bool(false)));
        let not = structural.validation.not.unwrap();
        assert_eq!(not.properties, Some(BTreeMap::new()));
        assert_eq!(not.additional_properties, Some(NestedAdditionalProperties::Forbidden));
        assert_eq!(
            structural.validation.any_of[0].additional_properties,
            Some(NestedAdditionalProperties::Schema(Box::default()))
        );
    }

    #[test]
    fn deep_schemas_are_rejected() {
        let mut props = JsonSchemaProps::default();
        for _ in 0..MAX_SCHEMA_DEPTH {
            props = JsonSchemaProps { not: Some(Box::new(props)), ..JsonSchemaProps::default() };
        }
        assert_eq!(Structural::try_from(&props), Err(ConvertError::TooDeep));
    }
}
