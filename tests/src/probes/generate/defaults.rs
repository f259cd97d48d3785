//! Defaults of each type: a value, one of another type, and one that a constraint beside it or of the type refuses.

use serde_json::{Value, json};

use super::{Probe, push, with_field};

const NO_VALUE: &str = "is no value of JSON";
const READ: &str = "the type does not read it";

/// A type, its schema, a constraint, the default in Rust and in JSON, and the reason of a refusal that the server does not
/// share.
type Row = (&'static str, Value, &'static str, &'static str, Option<Value>, Option<&'static str>);

#[expect(clippy::too_many_lines, reason = "a table")]
fn rows() -> Vec<Row> {
    let int = || json!({"type": "integer", "format": "int32"});
    let int_with = |keywords: Value| super::merged(int(), &keywords);
    let text = || json!({"type": "string"});
    let text_with = |keywords: Value| super::merged(text(), &keywords);
    let list = |items: Value| json!({"type": "array", "items": items});
    let small = || json!({"type": "integer", "minimum": 0, "maximum": 255});
    let name = || json!({"type": "string", "minLength": 1, "maxLength": 5});
    let word = || json!({"type": "string", "enum": ["On", "Off"]});
    let part = || json!({"type": "object", "properties": {"n": int(), "s": text()}, "required": ["n", "s"]});
    let some = |value: Value| Some(value);
    vec![
        ("i32", int(), "", "5", some(json!(5)), None),
        ("i32", int(), "", "-5", some(json!(-5)), None),
        ("i32", int(), "", "\"5\"", some(json!("5")), None),
        ("i32", int(), "", "true", some(json!(true)), None),
        ("i32", int(), "", "1.5", some(json!(1.5)), None),
        ("i32", int(), "", "2147483648", some(json!(2_147_483_648_u64)), Some(READ)),
        ("i32", int(), "", "[1]", some(json!([1])), None),
        (
            "i32",
            int(),
            "",
            "json!(null)",
            some(json!(null)),
            Some("is no value, and the server drops it"),
        ),
        ("i32", int(), "", "i32::MAX", some(json!(2_147_483_647)), None),
        ("i32", int_with(json!({"minimum": 10})), "minimum = 10, ", "5", some(json!(5)), None),
        ("i32", int_with(json!({"minimum": 10})), "minimum = 10, ", "10", some(json!(10)), None),
        (
            "i32",
            int_with(json!({"minimum": 10, "exclusiveMinimum": true})),
            "minimum = 10, exclusive_minimum, ",
            "10",
            some(json!(10)),
            None,
        ),
        ("i32", int_with(json!({"maximum": 3})), "maximum = 3, ", "5", some(json!(5)), None),
        ("i32", int_with(json!({"multipleOf": 3})), "multiple_of = 3, ", "5", some(json!(5)), None),
        (
            "i32",
            int_with(json!({"enum": [1, 2]})),
            "enum_values(1, 2), ",
            "5",
            some(json!(5)),
            None,
        ),
        (
            "i32",
            int_with(json!({"enum": [1, 5]})),
            "enum_values(1, 5), ",
            "5",
            some(json!(5)),
            None,
        ),
        (
            "i32",
            int_with(json!({"x-kubernetes-validations": [{"rule": "self > 5"}]})),
            "rule(\"self > 5\"), ",
            "5",
            some(json!(5)),
            None,
        ),
        (
            "i32",
            int_with(json!({"x-kubernetes-validations": [{"rule": "self > 4"}]})),
            "rule(\"self > 4\"), ",
            "5",
            some(json!(5)),
            None,
        ),
        ("u8", small(), "", "255", some(json!(255)), None),
        ("u8", small(), "", "256", some(json!(256)), None),
        ("u8", small(), "", "-1", some(json!(-1)), None),
        (
            "i64",
            json!({"type": "integer", "format": "int64"}),
            "",
            "9223372036854775807",
            some(json!(9_223_372_036_854_775_807_u64)),
            None,
        ),
        (
            "std::num::NonZeroU8",
            json!({"type": "integer", "minimum": 1, "maximum": 255}),
            "",
            "0",
            some(json!(0)),
            None,
        ),
        ("std::num::NonZeroI32", int(), "", "0", some(json!(0)), Some(READ)),
        ("Small", small(), "", "200", some(json!(200)), None),
        ("Small", small(), "", "300", some(json!(300)), None),
        (
            "Port",
            json!({"type": "integer", "minimum": 0, "maximum": 65535}),
            "",
            "70000",
            some(json!(70000)),
            None,
        ),
        (
            "Port",
            json!({"type": "integer", "minimum": 0, "maximum": 65535}),
            "",
            "80",
            some(json!(80)),
            None,
        ),
        ("f64", json!({"type": "number"}), "", "1.5", some(json!(1.5)), None),
        ("f64", json!({"type": "number"}), "", "1", some(json!(1)), None),
        ("f64", json!({"type": "number"}), "", "f64::INFINITY", None, Some(NO_VALUE)),
        ("f64", json!({"type": "number"}), "", "f64::NAN", None, Some(NO_VALUE)),
        (
            "f64",
            json!({"type": "number", "maximum": 1}),
            "maximum = 1, ",
            "1.5",
            some(json!(1.5)),
            None,
        ),
        ("bool", json!({"type": "boolean"}), "", "true", some(json!(true)), None),
        ("bool", json!({"type": "boolean"}), "", "\"true\"", some(json!("true")), None),
        ("bool", json!({"type": "boolean"}), "", "1", some(json!(1)), None),
        (
            "char",
            json!({"type": "string", "minLength": 1, "maxLength": 1}),
            "",
            "'a'",
            some(json!("a")),
            None,
        ),
        (
            "char",
            json!({"type": "string", "minLength": 1, "maxLength": 1}),
            "",
            "\"ab\"",
            some(json!("ab")),
            None,
        ),
        ("String", text(), "", "\"abc\"", some(json!("abc")), None),
        ("String", text(), "", "\"\"", some(json!("")), None),
        ("String", text(), "", "5", some(json!(5)), None),
        ("String", text(), "", "'a'", some(json!("a")), None),
        ("String", text(), "", "format!(\"a{}\", 1)", some(json!("a1")), None),
        (
            "String",
            text_with(json!({"minLength": 5})),
            "min_length = 5, ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "String",
            text_with(json!({"maxLength": 2})),
            "max_length = 2, ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "String",
            text_with(json!({"maxLength": 3})),
            "max_length = 3, ",
            "\"日本語\"",
            some(json!("日本語")),
            None,
        ),
        (
            "String",
            text_with(json!({"pattern": "^x"})),
            "pattern = \"^x\", ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "String",
            text_with(json!({"pattern": "^a"})),
            "pattern = \"^a\", ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "String",
            text_with(json!({"pattern": "^\\p{Greek}+$"})),
            "pattern = r\"^\\p{Greek}+$\", ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "uuid"})),
            "format = \"uuid\", ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "uuid"})),
            "format = \"uuid\", ",
            "\"123e4567-e89b-12d3-a456-426614174000\"",
            some(json!("123e4567-e89b-12d3-a456-426614174000")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "date"})),
            "format = \"date\", ",
            "\"2024-02-30\"",
            some(json!("2024-02-30")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "date"})),
            "format = \"date\", ",
            "\"2024-02-29\"",
            some(json!("2024-02-29")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "ipv4"})),
            "format = \"ipv4\", ",
            "\"1.2.3\"",
            some(json!("1.2.3")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "duration"})),
            "format = \"duration\", ",
            "\"1h30m\"",
            some(json!("1h30m")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "duration"})),
            "format = \"duration\", ",
            "\"soon\"",
            some(json!("soon")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "byte"})),
            "format = \"byte\", ",
            "\"a\"",
            some(json!("a")),
            None,
        ),
        (
            "String",
            text_with(json!({"format": "byte"})),
            "format = \"byte\", ",
            "\"YWJj\"",
            some(json!("YWJj")),
            None,
        ),
        (
            "String",
            text_with(json!({"enum": ["a", "b"]})),
            "enum_values(\"a\", \"b\"), ",
            "\"c\"",
            some(json!("c")),
            None,
        ),
        (
            "String",
            text_with(
                json!({"maxLength": 9, "x-kubernetes-validations": [{"rule": "self.startsWith('x')"}]}),
            ),
            "max_length = 9, rule(\"self.startsWith('x')\"), ",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        ("Name", name(), "", "\"abc\"", some(json!("abc")), None),
        ("Name", name(), "", "\"\"", some(json!("")), None),
        ("Name", name(), "", "\"abcdef\"", some(json!("abcdef")), None),
        ("Word", word(), "", "\"On\"", some(json!("On")), None),
        ("Word", word(), "", "\"on\"", some(json!("on")), None),
        ("Word", word(), "", "Word::On", some(json!("On")), None),
        ("Word", word(), "", "1", some(json!(1)), None),
        ("Vec<String>", list(text()), "", "[\"a\"]", some(json!(["a"])), None),
        ("Vec<String>", list(text()), "", "[]", some(json!([])), None),
        ("Vec<String>", list(text()), "", "[1]", some(json!([1])), None),
        ("Vec<String>", list(text()), "", "\"a\"", some(json!("a")), None),
        (
            "Vec<String>",
            super::merged(list(text()), &json!({"minItems": 1})),
            "min_items = 1, ",
            "[]",
            some(json!([])),
            None,
        ),
        (
            "Vec<String>",
            super::merged(list(text()), &json!({"maxItems": 1})),
            "max_items = 1, ",
            "[\"a\", \"b\"]",
            some(json!(["a", "b"])),
            None,
        ),
        (
            "Vec<String>",
            super::merged(list(text()), &json!({"x-kubernetes-list-type": "set"})),
            "list_type = \"set\", ",
            "[\"a\", \"a\"]",
            some(json!(["a", "a"])),
            Some("no object without the field could be created"),
        ),
        (
            "Vec<String>",
            super::merged(list(text()), &json!({"x-kubernetes-list-type": "set"})),
            "list_type = \"set\", ",
            "[\"a\", \"b\"]",
            some(json!(["a", "b"])),
            None,
        ),
        (
            "Vec<String>",
            list(text_with(json!({"maxLength": 1}))),
            "items(max_length = 1), ",
            "[\"ab\"]",
            some(json!(["ab"])),
            None,
        ),
        (
            "Vec<String>",
            list(text_with(json!({"pattern": "^x"}))),
            "items(pattern = \"^x\"), ",
            "[\"ab\"]",
            some(json!(["ab"])),
            None,
        ),
        ("Vec<i32>", list(int()), "", "vec![1, 2]", some(json!([1, 2])), None),
        ("Vec<u8>", list(small()), "", "[256]", some(json!([256])), None),
        ("Vec<Word>", list(word()), "", "[\"On\", \"Of\"]", some(json!(["On", "Of"])), None),
        ("Vec<Name>", list(name()), "", "[\"abcdef\"]", some(json!(["abcdef"])), None),
        (
            "BTreeSet<String>",
            super::merged(list(text()), &json!({"x-kubernetes-list-type": "set"})),
            "",
            "[\"a\", \"a\"]",
            some(json!(["a", "a"])),
            Some("no object without the field could be created"),
        ),
        (
            "[i32; 2]",
            json!({"type": "array", "items": int(), "minItems": 2, "maxItems": 2}),
            "",
            "[1, 2, 3]",
            some(json!([1, 2, 3])),
            None,
        ),
        (
            "[i32; 2]",
            json!({"type": "array", "items": int(), "minItems": 2, "maxItems": 2}),
            "",
            "[1, 2]",
            some(json!([1, 2])),
            None,
        ),
        (
            "BTreeMap<String, i32>",
            json!({"type": "object", "additionalProperties": int()}),
            "",
            "json!({})",
            some(json!({})),
            None,
        ),
        (
            "BTreeMap<String, i32>",
            json!({"type": "object", "additionalProperties": int()}),
            "",
            "json!({\"a\": 1})",
            some(json!({"a": 1})),
            None,
        ),
        (
            "BTreeMap<String, i32>",
            json!({"type": "object", "additionalProperties": int()}),
            "",
            "json!({\"a\": \"b\"})",
            some(json!({"a": "b"})),
            None,
        ),
        (
            "BTreeMap<String, i32>",
            json!({"type": "object", "additionalProperties": int()}),
            "",
            "[]",
            some(json!([])),
            None,
        ),
        (
            "BTreeMap<String, i32>",
            json!({"type": "object", "additionalProperties": int(), "minProperties": 1}),
            "min_properties = 1, ",
            "json!({})",
            some(json!({})),
            None,
        ),
        (
            "Part",
            part(),
            "",
            "json!({\"n\": 1, \"s\": \"a\"})",
            some(json!({"n": 1, "s": "a"})),
            None,
        ),
        ("Part", part(), "", "json!({\"n\": 1})", some(json!({"n": 1})), None),
        ("Part", part(), "", "json!({})", some(json!({})), None),
        (
            "Part",
            part(),
            "",
            "json!({\"n\": \"1\", \"s\": \"a\"})",
            some(json!({"n": "1", "s": "a"})),
            None,
        ),
        (
            "Part",
            part(),
            "",
            "json!({\"n\": 1, \"s\": \"a\", \"x\": 1})",
            some(json!({"n": 1, "s": "a", "x": 1})),
            None,
        ),
        ("Part", part(), "", "Part::default()", some(json!({"n": 0, "s": ""})), None),
        ("Part", part(), "", "5", some(json!(5)), None),
        (
            "Vec<Part>",
            list(part()),
            "",
            "json!([{\"n\": 1, \"s\": \"a\"}])",
            some(json!([{"n": 1, "s": "a"}])),
            None,
        ),
        ("Vec<Part>", list(part()), "", "json!([{\"n\": 1}])", some(json!([{"n": 1}])), None),
        (
            "Value",
            json!({"x-kubernetes-preserve-unknown-fields": true}),
            "",
            "json!({\"a\": [1, null]})",
            some(json!({"a": [1, null]})),
            None,
        ),
        (
            "Value",
            json!({"x-kubernetes-preserve-unknown-fields": true}),
            "",
            "\"a\"",
            some(json!("a")),
            None,
        ),
        (
            "IntOrString",
            json!({"x-kubernetes-int-or-string": true}),
            "",
            "\"50%\"",
            some(json!("50%")),
            None,
        ),
        ("IntOrString", json!({"x-kubernetes-int-or-string": true}), "", "5", some(json!(5)), None),
        (
            "IntOrString",
            json!({"x-kubernetes-int-or-string": true}),
            "",
            "true",
            some(json!(true)),
            Some(READ),
        ),
        (
            "IntOrString",
            json!({"x-kubernetes-int-or-string": true}),
            "",
            "1.5",
            some(json!(1.5)),
            Some(READ),
        ),
        (
            "Quantity",
            json!({"x-kubernetes-int-or-string": true, "pattern": "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"}),
            "",
            "\"1Gi\"",
            some(json!("1Gi")),
            None,
        ),
        (
            "Quantity",
            json!({"x-kubernetes-int-or-string": true, "pattern": "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"}),
            "",
            "\"abc\"",
            some(json!("abc")),
            None,
        ),
        (
            "Time",
            json!({"type": "string", "format": "date-time"}),
            "",
            "\"2024-01-01T00:00:00Z\"",
            some(json!("2024-01-01T00:00:00Z")),
            None,
        ),
        (
            "Time",
            json!({"type": "string", "format": "date-time"}),
            "",
            "\"yesterday\"",
            some(json!("yesterday")),
            None,
        ),
    ]
}

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (ty, mut schema, constraint, default, value, why) in rows() {
        let meant = value.map(|value| {
            schema["default"] = value;
            let mut schema = with_field(schema);
            schema["required"] = json!([]);
            schema
        });
        push(
            &mut probes,
            Probe {
                name: format!("{ty}: {constraint}default = {default}"),
                source: format!("#[crd({constraint}default = {default})] a: {ty},"),
                meant,
                why: why.map(str::to_owned),
                ..Probe::default()
            },
        );
    }
    beside_serde(&mut probes);
    probes
}

/// Defaults of the server beside those of serde, and in an `Option`.
fn beside_serde(probes: &mut Vec<Probe>) {
    let differs = Some("what is written without the field comes back as the default");
    let rows = [
        ("i32", "#[crd(default)] #[serde(default)]", None),
        ("i32", "#[crd(default)]", Some("there is no default of serde")),
        ("i32", "#[crd(default = 5)] #[serde(default)]", None),
        (
            "i32",
            "#[crd(default = 5)] #[serde(default, skip_serializing_if = \"is_zero\")]",
            differs,
        ),
        ("i32", "#[crd(default = 0)] #[serde(default, skip_serializing_if = \"is_zero\")]", None),
        (
            "Vec<String>",
            "#[crd(default = [\"a\"])] #[serde(default, skip_serializing_if = \"Vec::is_empty\")]",
            differs,
        ),
        (
            "Vec<String>",
            "#[crd(default = [])] #[serde(default, skip_serializing_if = \"Vec::is_empty\")]",
            None,
        ),
        (
            "Option<i32>",
            "#[crd(default = 5)]",
            Some("the server drops the null that serde writes, and writes the default"),
        ),
        (
            "Option<i32>",
            "#[crd(default = 5)] #[serde(skip_serializing_if = \"Option::is_none\")]",
            None,
        ),
        ("Option<i32>", "#[crd(default = 5, nullable = false)]", Some("serde writes null")),
        (
            "Option<i32>",
            "#[crd(default = \"a\")] #[serde(skip_serializing_if = \"Option::is_none\")]",
            Some("is of another type"),
        ),
        (
            "Option<Word>",
            "#[crd(default = \"Of\")] #[serde(skip_serializing_if = \"Option::is_none\")]",
            Some("is no variant"),
        ),
        ("Part", "#[crd(default)] #[serde(default)]", None),
        ("Word", "#[crd(default)] #[serde(default)]", None),
        ("Small", "#[crd(default)] #[serde(default = \"three\")]", None),
    ];
    for (ty, attributes, why) in rows {
        push(
            probes,
            Probe {
                name: format!("{ty}: {attributes}"),
                source: format!(
                    "#[D] struct Root {{ {attributes} a: {ty} }}\nfn is_zero(n: &i32) -> bool {{ *n == 0 }}\n\
                 fn three() -> Small {{ Small(3) }}"
                ),
                why: why.map(str::to_owned),
                ..Probe::default()
            },
        );
    }
}
