//! The keywords of JSON Schema that contain no schemas.

use serde_json::Value;

use crate::model::JsonSchemaProps;

/// Keywords that are skipped, because they do not restrict values.
pub(super) const IGNORED: [&str; 15] = [
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "components",
    "contentEncoding",
    "contentMediaType",
    "definitions",
    "deprecated",
    "discriminator",
    "readOnly",
    "title",
    "writeOnly",
    "xml",
];

/// Copies a keyword that contains no schemas. Returns whether it is such a keyword.
pub(super) fn copy(schema: &mut JsonSchemaProps, key: &str, value: &Value) -> bool {
    let text = || value.as_str().unwrap_or_default().to_owned();
    let count = || value.as_i64();
    let is_true = value == &Value::Bool(true);
    match key {
        "description" => schema.description = text(),
        "format" => schema.format = text(),
        "pattern" => schema.pattern = text(),
        "default" => schema.default = Some(value.clone()).filter(|value| !value.is_null()),
        "example" => schema.example = Some(value.clone()),
        "examples" => schema.example = value.get(0).cloned(),
        "enum" => schema.enum_ = value.as_array().cloned(),
        "const" => schema.enum_ = Some(vec![value.clone()]),
        "nullable" => schema.nullable |= is_true,
        "minimum" => schema.minimum = value.as_f64(),
        "maximum" => schema.maximum = value.as_f64(),
        "exclusiveMinimum" => match value {
            Value::Bool(exclusive) => schema.exclusive_minimum = *exclusive,
            number => (schema.minimum, schema.exclusive_minimum) = (number.as_f64(), true),
        },
        "exclusiveMaximum" => match value {
            Value::Bool(exclusive) => schema.exclusive_maximum = *exclusive,
            number => (schema.maximum, schema.exclusive_maximum) = (number.as_f64(), true),
        },
        "multipleOf" => schema.multiple_of = value.as_f64(),
        "minLength" => schema.min_length = count(),
        "maxLength" => schema.max_length = count(),
        "minItems" => schema.min_items = count(),
        "maxItems" => schema.max_items = count(),
        "minProperties" => schema.min_properties = count(),
        "maxProperties" => schema.max_properties = count(),
        "uniqueItems" => {
            // Makes the list a set, unless its items do not allow it; see `complete`.
            if is_true {
                schema.x_list_type.get_or_insert_with(|| "set".to_owned());
            }
        }
        "required" => {
            let names = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            schema.required = Some(names.map(str::to_owned).collect());
        }
        "x-kubernetes-int-or-string" => schema.x_int_or_string = is_true,
        "x-kubernetes-embedded-resource" => schema.x_embedded_resource = is_true,
        "x-kubernetes-preserve-unknown-fields" => {
            schema.x_preserve_unknown_fields = value.as_bool().filter(|keep| *keep);
        }
        "x-kubernetes-list-type" => schema.x_list_type = Some(text()),
        "x-kubernetes-map-type" => schema.x_map_type = Some(text()),
        "x-kubernetes-list-map-keys" => {
            schema.x_list_map_keys = serde_json::from_value(value.clone()).ok();
        }
        "x-kubernetes-validations" => {
            schema.x_validations = serde_json::from_value(value.clone()).ok();
        }
        "externalDocs" => schema.external_docs = serde_json::from_value(value.clone()).ok(),
        _ => return false,
    }
    true
}

/// Returns the types that the keyword `type` names.
pub(super) fn type_names(value: &Value) -> Vec<&str> {
    match value {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the types of an enumeration's values.
pub(super) fn types_of(values: &[Value]) -> Vec<&'static str> {
    let mut types = Vec::new();
    for value in values {
        let type_ = match value {
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::Null => continue,
        };
        if !types.contains(&type_) {
            types.push(type_);
        }
    }
    types
}
