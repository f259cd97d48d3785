//! Converts a schema to k8s-openapi's types, keyword by keyword.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as k8s;
use serde_json::Value;

use crate::model::{
    ExternalDocs, JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings, ValidationRule,
};

/// A value of a schema that k8s-openapi has in another type.
trait Convert {
    type To;

    fn convert(self) -> Self::To;
}

macro_rules! conversion {
    ($($(#[$meta:meta])* $field:ident: $type:ty = $json:literal, $go:literal, $k8s:ident, $kind:ident, $settings:literal;)*) => {
        /// Converts all keywords: a field of either type that has no row does not compile. The recursion is as deep as
        /// the schema, as when a schema is dropped.
        impl Convert for JsonSchemaProps {
            type To = k8s::JSONSchemaProps;

            fn convert(self) -> k8s::JSONSchemaProps {
                let Self { $($field),* } = self;
                k8s::JSONSchemaProps { $($k8s: $field.convert()),* }
            }
        }
    };
}

crate::schema_keywords!(conversion);

/// Converts a schema.
pub(super) fn convert(props: JsonSchemaProps) -> k8s::JSONSchemaProps {
    props.convert()
}

impl Convert for String {
    type To = Option<String>;

    fn convert(self) -> Option<String> {
        (!self.is_empty()).then_some(self)
    }
}

impl Convert for bool {
    type To = Option<bool>;

    fn convert(self) -> Option<bool> {
        self.then_some(true)
    }
}

/// Null counts as absent.
impl Convert for Option<Value> {
    type To = Option<k8s::JSON>;

    fn convert(self) -> Option<k8s::JSON> {
        self.filter(|value| !value.is_null()).map(k8s::JSON)
    }
}

/// Values that k8s-openapi has in the same type.
macro_rules! same {
    ($($type:ty),*) => {$(
        impl Convert for Option<$type> {
            type To = Self;

            fn convert(self) -> Self {
                self
            }
        }
    )*};
}

same!(String, Vec<String>, bool, f64, i64);

/// Values that k8s-openapi has in another type, if they are there.
macro_rules! other {
    ($($type:ty => $to:ty = $convert:expr;)*) => {$(
        impl Convert for Option<$type> {
            type To = Option<$to>;

            fn convert(self) -> Option<$to> {
                self.map($convert)
            }
        }
    )*};
}

other! {
    Vec<Value> => Vec<k8s::JSON> = |values| values.into_iter().map(k8s::JSON).collect();
    Vec<JsonSchemaProps> => Vec<k8s::JSONSchemaProps> = list;
    Vec<ValidationRule> => Vec<k8s::ValidationRule> = |rules| rules.into_iter().map(rule).collect();
    Box<JsonSchemaProps> => Box<k8s::JSONSchemaProps> = |schema| boxed(*schema);
    BTreeMap<String, JsonSchemaProps> => BTreeMap<String, k8s::JSONSchemaProps> = |schemas| {
        schemas.into_iter().map(|(name, schema)| (name, convert(schema))).collect()
    };
    BTreeMap<String, Arc<JsonSchemaProps>> => BTreeMap<String, k8s::JSONSchemaProps> = |schemas| {
        schemas.into_iter().map(|(name, schema)| (name, convert(Arc::unwrap_or_clone(schema)))).collect()
    };
    BTreeMap<String, SchemaOrStrings> => BTreeMap<String, k8s::JSONSchemaPropsOrStringArray> = |members| {
        members.into_iter().map(|(name, of)| (name, schema_or_strings(of))).collect()
    };
    SchemaOrBool => k8s::JSONSchemaPropsOrBool = schema_or_bool;
    SchemaOrArray => k8s::JSONSchemaPropsOrArray = schema_or_array;
    ExternalDocs => k8s::ExternalDocumentation = docs;
}

fn docs(docs: ExternalDocs) -> k8s::ExternalDocumentation {
    let ExternalDocs { description, url } = docs;
    k8s::ExternalDocumentation { description: description.convert(), url: url.convert() }
}

fn rule(of: ValidationRule) -> k8s::ValidationRule {
    let ValidationRule { rule, message, message_expression, reason, field_path, optional_old_self } =
        of;
    k8s::ValidationRule {
        field_path: field_path.convert(),
        message: message.convert(),
        message_expression: message_expression.convert(),
        optional_old_self,
        reason,
        rule,
    }
}

fn boxed(schema: JsonSchemaProps) -> Box<k8s::JSONSchemaProps> {
    Box::new(convert(schema))
}

fn list(schemas: Vec<JsonSchemaProps>) -> Vec<k8s::JSONSchemaProps> {
    schemas.into_iter().map(convert).collect()
}

fn schema_or_bool(of: SchemaOrBool) -> k8s::JSONSchemaPropsOrBool {
    match of {
        SchemaOrBool::Bool(allows) => k8s::JSONSchemaPropsOrBool::Bool(allows),
        SchemaOrBool::Schema(schema) => k8s::JSONSchemaPropsOrBool::Schema(boxed(*schema)),
    }
}

fn schema_or_array(of: SchemaOrArray) -> k8s::JSONSchemaPropsOrArray {
    match of {
        SchemaOrArray::Array(schemas) => k8s::JSONSchemaPropsOrArray::Schemas(list(schemas)),
        SchemaOrArray::Schema(schema) => k8s::JSONSchemaPropsOrArray::Schema(boxed(*schema)),
        // The server reads any other value as an empty list.
        SchemaOrArray::Neither(_) => k8s::JSONSchemaPropsOrArray::Schemas(Vec::new()),
    }
}

fn schema_or_strings(of: SchemaOrStrings) -> k8s::JSONSchemaPropsOrStringArray {
    match of {
        SchemaOrStrings::Strings(names) => k8s::JSONSchemaPropsOrStringArray::Strings(names),
        SchemaOrStrings::Schema(schema) => {
            k8s::JSONSchemaPropsOrStringArray::Schema(boxed(*schema))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_converted() {
        let schema: Value = serde_json::from_str(
            r#"{
            "$ref": "r", "$schema": "s", "additionalItems": {"type": "string"},
            "additionalProperties": false, "allOf": [{"format": "f"}], "anyOf": [{}],
            "default": {"a": 1}, "definitions": {"d": {}},
            "dependencies": {"a": ["b"], "c": {"type": "object"}}, "description": "d",
            "enum": [null, 1, "a"], "example": [1.5], "exclusiveMaximum": true,
            "exclusiveMinimum": true, "externalDocs": {"description": "d", "url": "u"},
            "format": "f", "id": "i", "items": [{"type": "integer"}, {}], "maxItems": 1,
            "maxLength": 2, "maxProperties": 3, "maximum": 4.5, "minItems": 5, "minLength": 6,
            "minProperties": 7, "minimum": 8.5, "multipleOf": 9.5, "not": {"not": {}},
            "nullable": true, "oneOf": [{"items": {"type": "string"}}], "pattern": "p",
            "patternProperties": {"p": {}}, "properties": {"p": {"properties": {"q": {}}}},
            "required": ["a"], "title": "t", "type": "object", "uniqueItems": true,
            "x-kubernetes-embedded-resource": true, "x-kubernetes-int-or-string": true,
            "x-kubernetes-list-map-keys": ["k"], "x-kubernetes-list-type": "map",
            "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true,
            "x-kubernetes-validations": [{
                "fieldPath": ".a", "message": "m", "messageExpression": "e",
                "optionalOldSelf": true, "reason": "r", "rule": "true"
            }]
        }"#,
        )
        .unwrap();
        let props: JsonSchemaProps = serde_json::from_value(schema.clone()).unwrap();
        let want: k8s::JSONSchemaProps = serde_json::from_value(schema.clone()).unwrap();
        let converted = convert(props);
        assert_eq!(converted, want);
        assert_eq!(serde_json::to_value(converted).unwrap(), schema);
        assert_eq!(convert(JsonSchemaProps::default()), k8s::JSONSchemaProps::default());
    }

    #[test]
    fn items_of_another_type_are_an_empty_list() {
        let items = Some(SchemaOrArray::Neither(true));
        let schema = JsonSchemaProps { items, ..JsonSchemaProps::default() };
        let items = Some(k8s::JSONSchemaPropsOrArray::Schemas(Vec::new()));
        assert_eq!(convert(schema).items, items);
    }
}
