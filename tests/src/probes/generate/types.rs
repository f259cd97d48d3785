//! Types of fields, at least one of each sort, with the schemas that their authors expect.

use serde_json::{Value, json};

/// Groups types by the attributes that apply to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Integer,
    Number,
    Boolean,
    Text,
    /// An enum of strings.
    Word,
    List,
    Map,
    Object,
    Any,
    IntOrString,
    Union,
}

/// A type of a field.
pub(super) struct Ty {
    pub text: &'static str,
    pub sort: Sort,
    pub schema: Value,
}

fn ty(text: &'static str, sort: Sort, schema: Value) -> Ty {
    Ty { text, sort, schema }
}

fn part() -> Value {
    json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "format": "int32"}, "s": {"type": "string"}},
        "required": ["n", "s"],
    })
}

/// Returns types of each sort.
pub(super) fn types() -> Vec<Ty> {
    let text = || json!({"type": "string"});
    let int = || json!({"type": "integer", "format": "int32"});
    let u8 = || json!({"type": "integer", "minimum": 0, "maximum": 255});
    let any = || json!({"x-kubernetes-preserve-unknown-fields": true});
    let list = |items: Value| json!({"type": "array", "items": items});
    let map = |values: Value| json!({"type": "object", "additionalProperties": values});
    let option = |schema: Value| super::merged(schema, &json!({"nullable": true}));
    vec![
        ty("bool", Sort::Boolean, json!({"type": "boolean"})),
        ty("i32", Sort::Integer, int()),
        ty("u8", Sort::Integer, u8()),
        ty("f64", Sort::Number, json!({"type": "number", "format": "double"})),
        ty("String", Sort::Text, text()),
        ty("Option<i32>", Sort::Integer, option(int())),
        ty("Option<String>", Sort::Text, option(text())),
        ty("Vec<String>", Sort::List, list(text())),
        ty("Vec<Part>", Sort::List, list(part())),
        ty("BTreeMap<String, i32>", Sort::Map, map(int())),
        ty("Part", Sort::Object, part()),
        ty("Box<Part>", Sort::Object, part()),
        ty("Value", Sort::Any, any()),
        ty("IntOrString", Sort::IntOrString, json!({"x-kubernetes-int-or-string": true})),
        ty("Word", Sort::Word, json!({"type": "string", "enum": ["On", "Off"]})),
        ty(
            "Tagged",
            Sort::Union,
            json!({"type": "object", "properties": {
                "kind": {"type": "string", "enum": ["One", "Two"]}, "n": {"type": "integer"}, "s": {"type": "string"},
            }, "required": ["kind"]}),
        ),
        ty("Small", Sort::Integer, u8()),
        ty("Port", Sort::Integer, json!({"type": "integer", "minimum": 0, "maximum": 65535})),
        ty("Name", Sort::Text, json!({"type": "string", "minLength": 1, "maxLength": 5})),
        ty("Quantity", Sort::IntOrString, json!({"x-kubernetes-int-or-string": true})),
    ]
}
