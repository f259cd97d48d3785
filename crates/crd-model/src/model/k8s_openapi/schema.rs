//! Converts a schema to k8s-openapi's types, keyword by keyword.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as k8s;
use serde_json::Value;

use crate::model::{
    ExternalDocs, JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings, ValidationRule,
};

type Schemas = BTreeMap<String, k8s::JSONSchemaProps>;

/// Creates a schema of k8s-openapi. Each line is a field: its name, its name in this crate's schema, and its value. If
/// a field of either schema has no line, this does not compile.
macro_rules! schema_of {
    ($props:ident: $($to:ident <- $from:ident = $value:expr;)*) => {{
        let JsonSchemaProps { $($from),* } = $props;
        k8s::JSONSchemaProps { $($to: $value),* }
    }};
}

/// Converts a schema. The recursion is as deep as the schema, as when a schema is dropped.
pub(super) fn convert(props: JsonSchemaProps) -> k8s::JSONSchemaProps {
    schema_of! { props:
        ref_path <- ref_ = ref_;
        schema <- schema = text(schema);
        additional_items <- additional_items = additional_items.map(schema_or_bool);
        additional_properties <- additional_properties = additional_properties.map(schema_or_bool);
        all_of <- all_of = all_of.map(list);
        any_of <- any_of = any_of.map(list);
        default <- default = json(default);
        definitions <- definitions = definitions.map(map);
        dependencies <- dependencies = dependencies.map(schemas_or_strings);
        description <- description = text(description);
        enum_ <- enum_ = enum_.map(|values| values.into_iter().map(k8s::JSON).collect());
        example <- example = json(example);
        exclusive_maximum <- exclusive_maximum = flag(exclusive_maximum);
        exclusive_minimum <- exclusive_minimum = flag(exclusive_minimum);
        external_docs <- external_docs = external_docs.map(docs);
        format <- format = text(format);
        id <- id = text(id);
        items <- items = items.map(schema_or_array);
        max_items <- max_items = max_items;
        max_length <- max_length = max_length;
        max_properties <- max_properties = max_properties;
        maximum <- maximum = maximum;
        min_items <- min_items = min_items;
        min_length <- min_length = min_length;
        min_properties <- min_properties = min_properties;
        minimum <- minimum = minimum;
        multiple_of <- multiple_of = multiple_of;
        not <- not = not.map(|not| boxed(*not));
        nullable <- nullable = flag(nullable);
        one_of <- one_of = one_of.map(list);
        pattern <- pattern = text(pattern);
        pattern_properties <- pattern_properties = pattern_properties.map(map);
        properties <- properties = properties.map(shared_map);
        required <- required = required;
        title <- title = text(title);
        type_ <- type_ = text(type_);
        unique_items <- unique_items = flag(unique_items);
        x_kubernetes_embedded_resource <- x_embedded_resource = flag(x_embedded_resource);
        x_kubernetes_int_or_string <- x_int_or_string = flag(x_int_or_string);
        x_kubernetes_list_map_keys <- x_list_map_keys = x_list_map_keys;
        x_kubernetes_list_type <- x_list_type = x_list_type;
        x_kubernetes_map_type <- x_map_type = x_map_type;
        x_kubernetes_preserve_unknown_fields <- x_preserve_unknown_fields = x_preserve_unknown_fields;
        x_kubernetes_validations <- x_validations = x_validations.map(|rules| rules.into_iter().map(rule).collect());
    }
}

fn text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn flag(flag: bool) -> Option<bool> {
    flag.then_some(true)
}

/// Converts a value; null counts as absent.
fn json(value: Option<Value>) -> Option<k8s::JSON> {
    value.filter(|value| !value.is_null()).map(k8s::JSON)
}

fn docs(docs: ExternalDocs) -> k8s::ExternalDocumentation {
    let ExternalDocs { description, url } = docs;
    k8s::ExternalDocumentation { description: text(description), url: text(url) }
}

fn rule(of: ValidationRule) -> k8s::ValidationRule {
    let ValidationRule { rule, message, message_expression, reason, field_path, optional_old_self } =
        of;
    k8s::ValidationRule {
        field_path: text(field_path),
        message: text(message),
        message_expression: text(message_expression),
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

fn map(schemas: BTreeMap<String, JsonSchemaProps>) -> Schemas {
    schemas.into_iter().map(|(name, schema)| (name, convert(schema))).collect()
}

fn shared_map(schemas: BTreeMap<String, Arc<JsonSchemaProps>>) -> Schemas {
    let convert = |(name, schema)| (name, convert(Arc::unwrap_or_clone(schema)));
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

fn schemas_or_strings(
    of: BTreeMap<String, SchemaOrStrings>,
) -> BTreeMap<String, k8s::JSONSchemaPropsOrStringArray> {
    let convert = |(name, of)| {
        let of = match of {
            SchemaOrStrings::Strings(names) => k8s::JSONSchemaPropsOrStringArray::Strings(names),
            SchemaOrStrings::Schema(schema) => {
                k8s::JSONSchemaPropsOrStringArray::Schema(boxed(*schema))
            }
        };
        (name, of)
    };
    of.into_iter().map(convert).collect()
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
