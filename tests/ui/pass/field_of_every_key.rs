use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Foreign;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(title = "t", description = "d", example = 5, external_docs(url = "https://a.b", description = "e"), default = 1,
        minimum = -5, maximum = 9, exclusive_minimum, exclusive_maximum = true, multiple_of = 1, format = "int32",
        enum_values(1, -2), rule("self > 0", message = "m", message_expression = "'e'", reason = "FieldValueRequired"),
        immutable, print_column, selectable)]
    a: i32,
    #[crd(min_length = 1, max_length = 5, pattern = "^a$", nullable)]
    b: Option<String>,
    #[crd(min_items = 1, max_items = 5, list_type = "set", items(max_length = 5))]
    c: Vec<String>,
    #[crd(min_properties = 1, max_properties = 5, map_type = "atomic", values(items(maximum = 5)),
        rule("self.size() > 0", field_path = "['k']"))]
    d: std::collections::BTreeMap<String, Vec<i32>>,
    #[crd(int_or_string)]
    e: serde_json::Value,
    #[crd(embedded_resource, preserve_unknown_fields)]
    f: serde_json::Value,
    #[crd(schema_with = crd_runtime::crd_schema::any)]
    g: Foreign,
    #[crd(default = json!({"a": [1]}))]
    h: serde_json::Value,
    #[crd(default)]
    #[serde(default)]
    i: i32,
    #[crd(rule = "self == 1")]
    j: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(at_most_one_of("a", "b"), exactly_one_of("c", "d"), at_least_one_of("e", "f"), min_properties = 1, max_properties = 6, map_type = "granular")]
struct Groups {
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<u8>,
}

fn main() {
    assert_eq!(
        serde_json::to_value(Spec::schema()).unwrap(),
        serde_json::json!({
            "properties": {
                "a": {
                    "default": 1,
                    "description": "d",
                    "enum": [1, -2],
                    "example": 5,
                    "exclusiveMaximum": true,
                    "exclusiveMinimum": true,
                    "externalDocs": {"description": "e", "url": "https://a.b"},
                    "format": "int32",
                    "maximum": 9,
                    "minimum": -5,
                    "multipleOf": 1,
                    "title": "t",
                    "type": "integer",
                    "x-kubernetes-validations": [
                        {
                            "message": "m",
                            "messageExpression": "'e'",
                            "reason": "FieldValueRequired",
                            "rule": "self > 0",
                        },
                        {"message": "field is immutable", "rule": "self == oldSelf"},
                    ],
                },
                "b": {
                    "maxLength": 5,
                    "minLength": 1,
                    "nullable": true,
                    "pattern": "^a$",
                    "type": "string",
                },
                "c": {
                    "items": {"maxLength": 5, "type": "string"},
                    "maxItems": 5,
                    "minItems": 1,
                    "type": "array",
                    "x-kubernetes-list-type": "set",
                },
                "d": {
                    "additionalProperties": {
                        "items": {"format": "int32", "maximum": 5, "type": "integer"},
                        "type": "array",
                    },
                    "maxProperties": 5,
                    "minProperties": 1,
                    "type": "object",
                    "x-kubernetes-map-type": "atomic",
                    "x-kubernetes-validations": [{"fieldPath": "['k']", "rule": "self.size() > 0"}],
                },
                "e": {"nullable": true, "x-kubernetes-int-or-string": true},
                "f": {
                    "nullable": true,
                    "type": "object",
                    "x-kubernetes-embedded-resource": true,
                    "x-kubernetes-preserve-unknown-fields": true,
                },
                "g": {"nullable": true, "x-kubernetes-preserve-unknown-fields": true},
                "h": {
                    "default": {"a": [1]},
                    "nullable": true,
                    "x-kubernetes-preserve-unknown-fields": true,
                },
                "i": {"default": 0, "format": "int32", "type": "integer"},
                "j": {
                    "format": "int32",
                    "type": "integer",
                    "x-kubernetes-validations": [{"rule": "self == 1"}],
                },
            },
            "required": ["c", "d", "e", "f", "g", "j"],
            "type": "object",
            "x-kubernetes-validations": [
                {
                    "message": "field a is immutable once set",
                    "rule": "!has(oldSelf.a) || has(self.a)",
                },
            ],
        })
    );
    assert_eq!(
        serde_json::to_value(Groups::schema()).unwrap(),
        serde_json::json!({
            "maxProperties": 6,
            "minProperties": 1,
            "properties": {
                "a": {"format": "int32", "maximum": 255, "minimum": 0, "type": "integer"},
                "b": {"format": "int32", "maximum": 255, "minimum": 0, "type": "integer"},
                "c": {"format": "int32", "maximum": 255, "minimum": 0, "type": "integer"},
                "d": {"format": "int32", "maximum": 255, "minimum": 0, "type": "integer"},
                "e": {"format": "int32", "maximum": 255, "minimum": 0, "type": "integer"},
                "f": {"format": "int32", "maximum": 255, "minimum": 0, "type": "integer"},
            },
            "type": "object",
            "x-kubernetes-map-type": "granular",
            "x-kubernetes-validations": [
                {
                    "message": "at most one of the fields in [a b] may be set",
                    "rule": "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
                },
                {
                    "message": "exactly one of the fields in [c d] must be set",
                    "rule": "(has(self.c) ? 1 : 0) + (has(self.d) ? 1 : 0) == 1",
                },
                {
                    "message": "at least one of the fields in [e f] must be set",
                    "rule": "has(self.e) || has(self.f)",
                },
            ],
        })
    );
}
