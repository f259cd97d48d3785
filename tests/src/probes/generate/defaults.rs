//! Defaults of each type: a valid value, one of another type, and one that a constraint of the field or of the type
//! rejects.

use serde_json::{Value, json};

use super::{Probe, default_parts, merged, push, with_field};

const NO_VALUE: &str = "is no value of JSON";
pub(super) const NOT_READ: &str = "the type does not read it";

/// A type, its schema, a constraint, the default in Rust and in JSON, and the reason to reject a default that the
/// server accepts.
pub(super) type Row =
    (&'static str, Value, &'static str, &'static str, Option<Value>, Option<&'static str>);

pub(super) fn int() -> Value {
    json!({"type": "integer", "format": "int32"})
}

pub(super) fn small() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": 255})
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

pub(super) fn text_with(keywords: &Value) -> Value {
    merged(text(), keywords)
}

pub(super) fn name() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": 5})
}

pub(super) fn word() -> Value {
    json!({"type": "string", "enum": ["On", "Off"]})
}

/// A row whose default has the same text in Rust and in JSON, and on which the server and rustc agree.
fn same(ty: &'static str, schema: Value, constraint: &'static str, default: &'static str) -> Row {
    let value = serde_json::from_str(default).expect("a default that is JSON");
    (ty, schema, constraint, default, Some(value), None)
}

/// A row of `i32` with further keywords.
fn of_int(keywords: &Value, constraint: &'static str, default: &'static str) -> Row {
    same("i32", merged(int(), keywords), constraint, default)
}

/// A row of `String` with further keywords.
fn of_text(keywords: &Value, constraint: &'static str, default: &'static str) -> Row {
    same("String", text_with(keywords), constraint, default)
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn of_scalars() -> Vec<Row> {
    vec![
        ("i32", int(), "", "5", Some(json!(5)), None),
        ("i32", int(), "", "-5", Some(json!(-5)), None),
        ("i32", int(), "", "\"5\"", Some(json!("5")), None),
        ("i32", int(), "", "true", Some(json!(true)), None),
        ("i32", int(), "", "1.5", Some(json!(1.5)), None),
        ("i32", int(), "", "2147483648", Some(json!(2_147_483_648_u64)), Some(NOT_READ)),
        ("i32", int(), "", "[1]", Some(json!([1])), None),
        (
            "i32",
            int(),
            "",
            "json!(null)",
            Some(json!(null)),
            Some("is no value, and the server drops it"),
        ),
        ("i32", int(), "", "i32::MAX", Some(json!(2_147_483_647)), None),
        of_int(&json!({"minimum": 10}), "minimum = 10, ", "5"),
        of_int(&json!({"minimum": 10}), "minimum = 10, ", "10"),
        of_int(
            &json!({"minimum": 10, "exclusiveMinimum": true}),
            "minimum = 10, exclusive_minimum, ",
            "10",
        ),
        of_int(&json!({"maximum": 3}), "maximum = 3, ", "5"),
        of_int(&json!({"multipleOf": 3}), "multiple_of = 3, ", "5"),
        of_int(&json!({"enum": [1, 2]}), "enum_values(1, 2), ", "5"),
        of_int(&json!({"enum": [1, 5]}), "enum_values(1, 5), ", "5"),
        of_int(
            &json!({"x-kubernetes-validations": [{"rule": "self > 5"}]}),
            "rule(\"self > 5\"), ",
            "5",
        ),
        of_int(
            &json!({"x-kubernetes-validations": [{"rule": "self > 4"}]}),
            "rule(\"self > 4\"), ",
            "5",
        ),
        ("u8", small(), "", "255", Some(json!(255)), None),
        ("u8", small(), "", "256", Some(json!(256)), None),
        ("u8", small(), "", "-1", Some(json!(-1)), None),
        (
            "i64",
            json!({"type": "integer", "format": "int64"}),
            "",
            "9223372036854775807",
            Some(json!(9_223_372_036_854_775_807_u64)),
            None,
        ),
        (
            "std::num::NonZeroU8",
            json!({"type": "integer", "minimum": 1, "maximum": 255}),
            "",
            "0",
            Some(json!(0)),
            None,
        ),
        ("std::num::NonZeroI32", int(), "", "0", Some(json!(0)), Some(NOT_READ)),
        ("Small", small(), "", "200", Some(json!(200)), None),
        ("Small", small(), "", "300", Some(json!(300)), None),
        (
            "Port",
            json!({"type": "integer", "minimum": 0, "maximum": 65535}),
            "",
            "70000",
            Some(json!(70000)),
            None,
        ),
        (
            "Port",
            json!({"type": "integer", "minimum": 0, "maximum": 65535}),
            "",
            "80",
            Some(json!(80)),
            None,
        ),
        ("f64", json!({"type": "number"}), "", "1.5", Some(json!(1.5)), None),
        ("f64", json!({"type": "number"}), "", "1", Some(json!(1)), None),
        ("f64", json!({"type": "number"}), "", "f64::INFINITY", None, Some(NO_VALUE)),
        ("f64", json!({"type": "number"}), "", "f64::NAN", None, Some(NO_VALUE)),
        (
            "f64",
            json!({"type": "number", "maximum": 1}),
            "maximum = 1, ",
            "1.5",
            Some(json!(1.5)),
            None,
        ),
        ("bool", json!({"type": "boolean"}), "", "true", Some(json!(true)), None),
        ("bool", json!({"type": "boolean"}), "", "\"true\"", Some(json!("true")), None),
        ("bool", json!({"type": "boolean"}), "", "1", Some(json!(1)), None),
        (
            "char",
            json!({"type": "string", "minLength": 1, "maxLength": 1}),
            "",
            "'a'",
            Some(json!("a")),
            None,
        ),
        (
            "char",
            json!({"type": "string", "minLength": 1, "maxLength": 1}),
            "",
            "\"ab\"",
            Some(json!("ab")),
            None,
        ),
        ("String", text(), "", "\"abc\"", Some(json!("abc")), None),
        ("String", text(), "", "\"\"", Some(json!("")), None),
        ("String", text(), "", "5", Some(json!(5)), None),
        ("String", text(), "", "'a'", Some(json!("a")), None),
        ("String", text(), "", "format!(\"a{}\", 1)", Some(json!("a1")), None),
        of_text(&json!({"minLength": 5}), "min_length = 5, ", "\"abc\""),
        of_text(&json!({"maxLength": 2}), "max_length = 2, ", "\"abc\""),
        of_text(&json!({"maxLength": 3}), "max_length = 3, ", "\"日本語\""),
        of_text(&json!({"pattern": "^x"}), "pattern = \"^x\", ", "\"abc\""),
        of_text(&json!({"pattern": "^a"}), "pattern = \"^a\", ", "\"abc\""),
        of_text(&json!({"pattern": "^\\p{Greek}+$"}), "pattern = r\"^\\p{Greek}+$\", ", "\"abc\""),
        of_text(&json!({"format": "uuid"}), "format = \"uuid\", ", "\"abc\""),
        of_text(
            &json!({"format": "uuid"}),
            "format = \"uuid\", ",
            "\"123e4567-e89b-12d3-a456-426614174000\"",
        ),
        of_text(&json!({"format": "date"}), "format = \"date\", ", "\"2024-02-30\""),
        of_text(&json!({"format": "date"}), "format = \"date\", ", "\"2024-02-29\""),
        of_text(&json!({"format": "ipv4"}), "format = \"ipv4\", ", "\"1.2.3\""),
        of_text(&json!({"format": "duration"}), "format = \"duration\", ", "\"1h30m\""),
        of_text(&json!({"format": "duration"}), "format = \"duration\", ", "\"soon\""),
        of_text(&json!({"format": "byte"}), "format = \"byte\", ", "\"a\""),
        of_text(&json!({"format": "byte"}), "format = \"byte\", ", "\"YWJj\""),
        of_text(&json!({"enum": ["a", "b"]}), "enum_values(\"a\", \"b\"), ", "\"c\""),
        of_text(
            &json!({"maxLength": 9, "x-kubernetes-validations": [{"rule": "self.startsWith('x')"}]}),
            "max_length = 9, rule(\"self.startsWith('x')\"), ",
            "\"abc\"",
        ),
        ("Name", name(), "", "\"abc\"", Some(json!("abc")), None),
        ("Name", name(), "", "\"\"", Some(json!("")), None),
        ("Name", name(), "", "\"abcdef\"", Some(json!("abcdef")), None),
        ("Word", word(), "", "\"On\"", Some(json!("On")), None),
        ("Word", word(), "", "\"on\"", Some(json!("on")), None),
        ("Word", word(), "", "Word::On", Some(json!("On")), None),
        ("Word", word(), "", "1", Some(json!(1)), None),
    ]
}

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (ty, mut schema, constraint, default, value, why) in
        of_scalars().into_iter().chain(default_parts::rows())
    {
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

/// Adds probes with defaults of the server and of serde on the same field, and on an `Option`.
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
