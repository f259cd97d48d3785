//! Writes an `OpenAPI` document of version 2 as Protocol Buffers, for `kubectl`.
//!
//! The tables below name the fields that the documents of this server have.
//!
//! Source: `openapiv2/OpenAPIv2.proto` of gnostic-models.

use serde_json::Value;

/// How a JSON value is written.
#[derive(Debug, Clone, Copy)]
enum Form {
    Text,
    Bool,
    Integer,
    Number,
    /// The text of the value, which is read as YAML.
    Any,
    /// An object.
    Message(&'static [Field]),
    /// An object with arbitrary keys: a message whose field of this number is repeated for each key, as a pair of the
    /// key (field 1) and the value (field 2).
    Named(u32, &'static Form),
    /// A message with only the field of this number. For a list, the field is repeated.
    Inside(u32, &'static Form),
    Schema,
    /// A boolean or a schema.
    SchemaOrBool,
    /// A parameter, or a reference to one.
    ParameterOrReference,
    Parameter,
}

/// A key, the number of its field, and the form of its value. The values of a list are written one by one.
type Field = (&'static str, u32, Form);

/// Stands for all keys that begin with `x-`. The field is repeated for each of them, as a pair of key and value.
const EXTENSIONS: &str = "x-";

const DOCUMENT: &[Field] = &[
    ("swagger", 1, Form::Text),
    ("info", 2, Form::Message(&[("title", 1, Form::Text), ("version", 2, Form::Text)])),
    ("paths", 8, Form::Named(2, &Form::Message(PATH_ITEM))),
    ("definitions", 9, Form::Named(1, &Form::Schema)),
    ("parameters", 10, Form::Named(1, &Form::Parameter)),
];

const PATH_ITEM: &[Field] = &[
    ("get", 2, Form::Message(OPERATION)),
    ("put", 3, Form::Message(OPERATION)),
    ("post", 4, Form::Message(OPERATION)),
    ("delete", 5, Form::Message(OPERATION)),
    ("options", 6, Form::Message(OPERATION)),
    ("head", 7, Form::Message(OPERATION)),
    ("patch", 8, Form::Message(OPERATION)),
    ("parameters", 9, Form::ParameterOrReference),
    (EXTENSIONS, 10, Form::Any),
];

const OPERATION: &[Field] = &[
    ("tags", 1, Form::Text),
    ("summary", 2, Form::Text),
    ("description", 3, Form::Text),
    ("operationId", 5, Form::Text),
    ("produces", 6, Form::Text),
    ("consumes", 7, Form::Text),
    ("parameters", 8, Form::ParameterOrReference),
    ("responses", 9, Form::Named(1, &Form::Inside(1, &Form::Message(RESPONSE)))),
    ("schemes", 10, Form::Text),
    ("deprecated", 11, Form::Bool),
    (EXTENSIONS, 13, Form::Any),
];

const RESPONSE: &[Field] = &[
    ("description", 1, Form::Text),
    ("schema", 2, Form::Inside(1, &Form::Schema)),
    (EXTENSIONS, 5, Form::Any),
];

const BODY_PARAMETER: &[Field] = &[
    ("description", 1, Form::Text),
    ("name", 2, Form::Text),
    ("in", 3, Form::Text),
    ("required", 4, Form::Bool),
    ("schema", 5, Form::Schema),
];

const QUERY_PARAMETER: &[Field] = &[
    ("required", 1, Form::Bool),
    ("in", 2, Form::Text),
    ("description", 3, Form::Text),
    ("name", 4, Form::Text),
    ("type", 6, Form::Text),
    ("uniqueItems", 20, Form::Bool),
];

const PATH_PARAMETER: &[Field] = &[
    ("required", 1, Form::Bool),
    ("in", 2, Form::Text),
    ("description", 3, Form::Text),
    ("name", 4, Form::Text),
    ("type", 5, Form::Text),
    ("uniqueItems", 19, Form::Bool),
];

const SCHEMA: &[Field] = &[
    ("$ref", 1, Form::Text),
    ("format", 2, Form::Text),
    ("title", 3, Form::Text),
    ("description", 4, Form::Text),
    ("default", 5, Form::Any),
    ("multipleOf", 6, Form::Number),
    ("maximum", 7, Form::Number),
    ("exclusiveMaximum", 8, Form::Bool),
    ("minimum", 9, Form::Number),
    ("exclusiveMinimum", 10, Form::Bool),
    ("maxLength", 11, Form::Integer),
    ("minLength", 12, Form::Integer),
    ("pattern", 13, Form::Text),
    ("maxItems", 14, Form::Integer),
    ("minItems", 15, Form::Integer),
    ("uniqueItems", 16, Form::Bool),
    ("maxProperties", 17, Form::Integer),
    ("minProperties", 18, Form::Integer),
    ("required", 19, Form::Text),
    ("enum", 20, Form::Any),
    ("additionalProperties", 21, Form::SchemaOrBool),
    ("type", 22, Form::Inside(1, &Form::Text)),
    ("items", 23, Form::Inside(1, &Form::Schema)),
    ("allOf", 24, Form::Schema),
    ("properties", 25, Form::Named(1, &Form::Schema)),
    (EXTENSIONS, 31, Form::Any),
];

/// Returns the bytes of a document.
pub(super) fn encode(document: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    message(&mut bytes, DOCUMENT, document);
    bytes
}

fn message(out: &mut Vec<u8>, fields: &[Field], value: &Value) {
    let Value::Object(map) = value else { return };
    for (key, number, form) in fields {
        if *key == EXTENSIONS {
            for (name, value) in map.iter().filter(|(name, _)| name.starts_with(EXTENSIONS)) {
                pair(out, *number, name, *form, value);
            }
            continue;
        }
        match (map.get(*key), form) {
            (None, _) => {}
            // This form writes a list as a whole.
            (Some(list), Form::Inside(..)) => write(out, *number, *form, list),
            (Some(Value::Array(list)), _) => {
                for value in list {
                    write(out, *number, *form, value);
                }
            }
            (Some(value), _) => write(out, *number, *form, value),
        }
    }
}

/// Writes a pair of a name and a value.
fn pair(out: &mut Vec<u8>, number: u32, name: &str, form: Form, value: &Value) {
    let mut inner = Vec::new();
    length_delimited(&mut inner, 1, name.as_bytes());
    write(&mut inner, 2, form, value);
    length_delimited(out, number, &inner);
}

/// Writes a field. Recursion follows the document, whose schemas are bounded by the depth of JSON.
fn write(out: &mut Vec<u8>, number: u32, form: Form, value: &Value) {
    let mut inner = Vec::new();
    match (form, value) {
        (Form::Text, value) => {
            inner.extend_from_slice(value.as_str().unwrap_or_default().as_bytes());
        }
        (Form::Bool, value) => {
            return integer(out, number, u64::from(value.as_bool().unwrap_or_default()));
        }
        (Form::Integer, value) => {
            let signed = value.as_i64().unwrap_or_default();
            return integer(out, number, signed.cast_unsigned());
        }
        (Form::Number, value) => {
            varint(out, u64::from((number << 3) | 1));
            out.extend_from_slice(&value.as_f64().unwrap_or_default().to_le_bytes());
            return;
        }
        (Form::Any, value) => {
            length_delimited(&mut inner, 2, format!("{value}\n").as_bytes());
        }
        (Form::Message(fields), value) => message(&mut inner, fields, value),
        (Form::Schema, value) => message(&mut inner, SCHEMA, value),
        (Form::Named(number, form), value) => {
            for (name, value) in value.as_object().into_iter().flatten() {
                pair(&mut inner, number, name, *form, value);
            }
        }
        (Form::Inside(number, form), Value::Array(list)) => {
            for value in list {
                write(&mut inner, number, *form, value);
            }
        }
        (Form::Inside(number, form), value) => write(&mut inner, number, *form, value),
        (Form::SchemaOrBool, Value::Bool(_)) => write(&mut inner, 2, Form::Bool, value),
        (Form::SchemaOrBool, value) => write(&mut inner, 1, Form::Schema, value),
        (Form::ParameterOrReference, value) if value.get("$ref").is_some() => {
            write(&mut inner, 2, Form::Message(&[("$ref", 1, Form::Text)]), value);
        }
        (Form::ParameterOrReference, value) => write(&mut inner, 1, Form::Parameter, value),
        (Form::Parameter, value) => match value["in"].as_str() {
            Some("body") => write(&mut inner, 1, Form::Message(BODY_PARAMETER), value),
            Some("path") => {
                write(&mut inner, 2, Form::Inside(4, &Form::Message(PATH_PARAMETER)), value);
            }
            _ => write(&mut inner, 2, Form::Inside(3, &Form::Message(QUERY_PARAMETER)), value),
        },
    }
    length_delimited(out, number, &inner);
}

fn integer(out: &mut Vec<u8>, number: u32, value: u64) {
    varint(out, u64::from(number << 3));
    varint(out, value);
}

fn length_delimited(out: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    varint(out, u64::from((number << 3) | 2));
    varint(out, u64::try_from(bytes.len()).unwrap_or_default());
    out.extend_from_slice(bytes);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(u8::try_from(value & 0x7f).unwrap_or_default() | 0x80);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(form: Form, value: &Value, want: &[u8]) {
        let mut out = Vec::new();
        write(&mut out, 1, form, value);
        assert_eq!(out, want, "{value}");
    }

    #[test]
    fn forms() {
        check(Form::Text, &json!("ab"), b"\x0a\x02ab");
        check(Form::Bool, &json!(true), b"\x08\x01");
        check(Form::Integer, &json!(300), b"\x08\xac\x02");
        check(Form::Number, &json!(1), b"\x09\0\0\0\0\0\0\xf0\x3f");
        check(Form::Any, &json!({}), b"\x0a\x05\x12\x03{}\n");
        check(Form::Inside(1, &Form::Text), &json!(["a", "b"]), b"\x0a\x06\x0a\x01a\x0a\x01b");
        check(Form::SchemaOrBool, &json!(true), b"\x0a\x02\x10\x01");
        check(Form::SchemaOrBool, &json!({"title": "t"}), b"\x0a\x05\x0a\x03\x1a\x01t");
        check(
            Form::Named(1, &Form::Text),
            &json!({"k": "v"}),
            b"\x0a\x08\x0a\x06\x0a\x01k\x12\x01v",
        );
        let reference = json!({"$ref": "r"});
        check(Form::ParameterOrReference, &reference, b"\x0a\x05\x12\x03\x0a\x01r");
        check(Form::Parameter, &json!({"in": "query"}), b"\x0a\x0b\x12\x09\x1a\x07\x12\x05query");
        let schema = json!({"x-a": 1, "required": ["p"]});
        check(
            Form::Schema,
            &schema,
            b"\x0a\x12\x9a\x01\x01p\xfa\x01\x0b\x0a\x03x-a\x12\x04\x12\x021\n",
        );
    }
}
