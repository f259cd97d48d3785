//! Bounds with values that are right, that exclude all values, that exceed the type, or that are not of the keyword's
//! type.

use serde_json::{Value, json};

use super::{Probe, merged, push, with_field};

const NOTHING: &str = "leaves no value";
const OUTSIDE: &str = "is outside of the type";
const DOUBLE: &str = "a double does not hold it, and the server would compare another number";
const INT64: &str =
    "the shortest text of its double does not fit int64, and the server would reject every integer";
const OF_NUMBER: &str =
    "its double does not fit int64, and the server would compare integers with another number";
const ABOVE_ZERO: &str = "divides nothing";
const TWICE: &str = "is listed twice";
const NO_VALUE: &str = "is no value of the keyword";
const OTHER_TYPE: &str = "is of another type";

/// A field's type, its schema, and attributes: each with its keywords and, if it is rejected although the server
/// accepts the keywords, the reason.
type Row = (&'static str, Value, Vec<(&'static str, Option<Value>, Option<&'static str>)>);

#[expect(clippy::too_many_lines, reason = "a table")]
fn rows() -> Vec<Row> {
    let int = json!({"type": "integer"});
    let number = json!({"type": "number"});
    let text = json!({"type": "string"});
    let list = json!({"type": "array", "items": {"type": "string"}});
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let min = |n: Value| Some(json!({"minimum": n}));
    let max = |n: Value| Some(json!({"maximum": n}));
    vec![
        (
            "i32",
            int.clone(),
            vec![
                ("minimum = -5", min(json!(-5)), None),
                (
                    "minimum = 5, maximum = 1",
                    Some(json!({"minimum": 5, "maximum": 1})),
                    Some(NOTHING),
                ),
                ("minimum = 5, maximum = 5", Some(json!({"minimum": 5, "maximum": 5})), None),
                (
                    "minimum = 5, maximum = 5, exclusive_minimum",
                    Some(json!({"minimum": 5, "maximum": 5, "exclusiveMinimum": true})),
                    Some(NOTHING),
                ),
                (
                    "minimum = 5, maximum = 6, exclusive_minimum, exclusive_maximum",
                    Some(
                        json!({"minimum": 5, "maximum": 6, "exclusiveMinimum": true, "exclusiveMaximum": true}),
                    ),
                    Some(NOTHING),
                ),
                (
                    "exclusive_minimum",
                    Some(json!({"exclusiveMinimum": true})),
                    Some("says nothing without the bound"),
                ),
                (
                    "exclusive_maximum = false",
                    Some(json!({"exclusiveMaximum": false})),
                    Some("says nothing without the bound"),
                ),
                ("minimum = 2147483648", min(json!(2_147_483_648_u64)), Some(NOTHING)),
                ("maximum = 2147483647", max(json!(2_147_483_647)), None),
                ("maximum = 2147483648", max(json!(2_147_483_648_u64)), Some(OUTSIDE)),
                ("maximum = -2147483649", max(json!(-2_147_483_649_i64)), Some(NOTHING)),
                ("minimum = 1.5", min(json!(1.5)), Some(OTHER_TYPE)),
                ("minimum = \"1\"", None, Some(NO_VALUE)),
                ("minimum = true", None, Some(NO_VALUE)),
                ("minimum", None, Some(NO_VALUE)),
                ("minimum(1)", None, Some(NO_VALUE)),
                ("minimum = 1, minimum = 2", None, Some("stands twice")),
                ("multiple_of = 0", Some(json!({"multipleOf": 0})), Some(ABOVE_ZERO)),
                ("multiple_of = -5", Some(json!({"multipleOf": -5})), Some(ABOVE_ZERO)),
                ("multiple_of = 1.5", Some(json!({"multipleOf": 1.5})), Some(OTHER_TYPE)),
                ("enum_values(1, 2, 3)", Some(json!({"enum": [1, 2, 3]})), None),
                ("enum_values(-1)", Some(json!({"enum": [-1]})), None),
                ("enum_values(1, 1)", Some(json!({"enum": [1, 1]})), Some(TWICE)),
                ("enum_values()", Some(json!({"enum": []})), Some(NOTHING)),
                ("enum_values(\"1\")", Some(json!({"enum": ["1"]})), Some(OTHER_TYPE)),
                (
                    "enum_values(3000000000)",
                    Some(json!({"enum": [3_000_000_000_u64]})),
                    Some(OUTSIDE),
                ),
                (
                    "minimum = 5, enum_values(1, 7)",
                    Some(json!({"minimum": 5, "enum": [1, 7]})),
                    Some("one of the values cannot occur"),
                ),
                ("format = \"int64\"", Some(json!({"format": "int64"})), Some(OUTSIDE)),
                ("format = \"uuid\"", Some(json!({"format": "uuid"})), Some(OTHER_TYPE)),
            ],
        ),
        (
            "u8",
            json!({"type": "integer", "minimum": 0, "maximum": 255}),
            vec![
                ("minimum = 0", min(json!(0)), None),
                ("minimum = -1", min(json!(-1)), Some(OUTSIDE)),
                ("maximum = 255", max(json!(255)), None),
                ("maximum = 256", max(json!(256)), Some(OUTSIDE)),
                ("minimum = 256", min(json!(256)), Some(NOTHING)),
                ("enum_values(255, 256)", Some(json!({"enum": [255, 256]})), Some(OUTSIDE)),
            ],
        ),
        (
            "i64",
            json!({"type": "integer", "format": "int64"}),
            vec![
                ("maximum = 9007199254740992", max(json!(9_007_199_254_740_992_u64)), None),
                ("maximum = 9007199254740993", max(json!(9_007_199_254_740_993_u64)), Some(DOUBLE)),
                (
                    "maximum = 9223372036854775807",
                    max(json!(9_223_372_036_854_775_807_u64)),
                    Some(INT64),
                ),
                (
                    "maximum = 9223372036854775808",
                    max(json!(9_223_372_036_854_775_808_u64)),
                    Some(OUTSIDE),
                ),
                (
                    "minimum = -9223372036854775808",
                    min(json!(-9_223_372_036_854_775_808_i64)),
                    Some(INT64),
                ),
                (
                    "minimum = -9223372036854775809",
                    min(json!(-9_223_372_036_854_775_809.0)),
                    Some(OUTSIDE),
                ),
                (
                    "multiple_of = 9007199254740993",
                    Some(json!({"multipleOf": 9_007_199_254_740_993_u64})),
                    Some(DOUBLE),
                ),
            ],
        ),
        (
            "u64",
            json!({"type": "integer", "minimum": 0}),
            vec![
                (
                    "maximum = 18446744073709551615",
                    max(json!(18_446_744_073_709_551_615_u64)),
                    Some(INT64),
                ),
                ("minimum = -1", min(json!(-1)), Some(OUTSIDE)),
                ("minimum = 1", min(json!(1)), None),
            ],
        ),
        (
            "std::num::NonZeroU8",
            json!({"type": "integer", "minimum": 1, "maximum": 255}),
            vec![
                ("minimum = 0", min(json!(0)), Some(OUTSIDE)),
                ("minimum = 1", min(json!(1)), None),
            ],
        ),
        (
            "f64",
            number,
            vec![
                ("minimum = 1.5", min(json!(1.5)), None),
                (
                    "minimum = -1.5, maximum = 1e9",
                    Some(json!({"minimum": -1.5, "maximum": 1e9})),
                    None,
                ),
                ("maximum = 1e30", max(json!(1e30)), Some(OF_NUMBER)),
                ("maximum = 1e400", None, Some(NO_VALUE)),
                ("maximum = f64::MAX", None, Some(NO_VALUE)),
                ("multiple_of = 0.1", Some(json!({"multipleOf": 0.1})), None),
                ("multiple_of = 0.0", Some(json!({"multipleOf": 0.0})), Some(ABOVE_ZERO)),
                (
                    "minimum = 0.2, maximum = 0.1",
                    Some(json!({"minimum": 0.2, "maximum": 0.1})),
                    Some(NOTHING),
                ),
                (
                    "minimum = 0.1, maximum = 0.1, exclusive_maximum",
                    Some(json!({"minimum": 0.1, "maximum": 0.1, "exclusiveMaximum": true})),
                    Some(NOTHING),
                ),
                ("enum_values(1.5, 2)", Some(json!({"enum": [1.5, 2]})), None),
            ],
        ),
        (
            "String",
            text,
            vec![
                ("min_length = 0", Some(json!({"minLength": 0})), None),
                ("min_length = -1", Some(json!({"minLength": -1})), Some(NO_VALUE)),
                ("max_length = 1.5", None, Some(NO_VALUE)),
                (
                    "min_length = 5, max_length = 1",
                    Some(json!({"minLength": 5, "maxLength": 1})),
                    Some(NOTHING),
                ),
                ("max_length = 0", Some(json!({"maxLength": 0})), None),
                (
                    "max_length = 9223372036854775807",
                    Some(json!({"maxLength": 9_223_372_036_854_775_807_u64})),
                    Some("is beyond any text"),
                ),
                ("max_length = 9223372036854775808", None, Some(NO_VALUE)),
                ("pattern = \"\"", Some(json!({"pattern": ""})), None),
                ("pattern = \"^[a-z]+$\"", Some(json!({"pattern": "^[a-z]+$"})), None),
                ("pattern = \"(\"", Some(json!({"pattern": "("})), None),
                ("pattern = \"(?=a)\"", Some(json!({"pattern": "(?=a)"})), None),
                ("pattern = \"[z-a]\"", Some(json!({"pattern": "[z-a]"})), None),
                ("pattern = \"a{1001}\"", Some(json!({"pattern": "a{1001}"})), None),
                ("pattern = \"\\\\p{Greek}\"", Some(json!({"pattern": "\\p{Greek}"})), None),
                ("pattern = \"\\\\p{Grek}\"", Some(json!({"pattern": "\\p{Grek}"})), None),
                ("pattern = \"(a)\\\\1\"", Some(json!({"pattern": "(a)\\1"})), None),
                ("pattern = \"(?P<n>a)\"", Some(json!({"pattern": "(?P<n>a)"})), None),
                ("pattern = r\"^\\d+$\"", Some(json!({"pattern": "^\\d+$"})), None),
                ("pattern = 5", None, Some(NO_VALUE)),
                ("format = \"date-time\"", Some(json!({"format": "date-time"})), None),
                ("format = \"email\"", Some(json!({"format": "email"})), None),
                ("format = \"ipv4\"", Some(json!({"format": "ipv4"})), None),
                ("format = \"k8s-short-name\"", Some(json!({"format": "k8s-short-name"})), None),
                (
                    "format = \"rfc3339\"",
                    Some(json!({"format": "rfc3339"})),
                    Some("the server does not know the format and checks nothing"),
                ),
                (
                    "format = \"regex\"",
                    Some(json!({"format": "regex"})),
                    Some("the server does not know the format and checks nothing"),
                ),
                ("format = \"int32\"", Some(json!({"format": "int32"})), Some(OTHER_TYPE)),
                ("enum_values(\"a\")", Some(json!({"enum": ["a"]})), None),
                ("enum_values(\"a\", \"a\")", Some(json!({"enum": ["a", "a"]})), Some(TWICE)),
                ("enum_values(1)", Some(json!({"enum": [1]})), Some(OTHER_TYPE)),
                (
                    "max_length = 1, enum_values(\"a\", \"bc\")",
                    Some(json!({"maxLength": 1, "enum": ["a", "bc"]})),
                    Some("one of the values cannot occur"),
                ),
                (
                    "pattern = \"^a$\", enum_values(\"a\", \"b\")",
                    Some(json!({"pattern": "^a$", "enum": ["a", "b"]})),
                    Some("one of the values cannot occur"),
                ),
                ("example = \"a\"", Some(json!({"example": "a"})), None),
                ("title = 5", None, Some(NO_VALUE)),
                ("lenght = 5", None, Some("there is no such key")),
                ("min_len = 5", None, Some("there is no such key")),
                ("validation(min = 1)", None, Some("there is no such key")),
                ("regex = \"a\"", None, Some("there is no such key")),
            ],
        ),
        (
            "Vec<String>",
            list,
            vec![
                ("min_items = 1, max_items = 5", Some(json!({"minItems": 1, "maxItems": 5})), None),
                (
                    "min_items = 5, max_items = 1",
                    Some(json!({"minItems": 5, "maxItems": 1})),
                    Some(NOTHING),
                ),
                ("min_items = -1", Some(json!({"minItems": -1})), Some(NO_VALUE)),
                ("max_items = 0", Some(json!({"maxItems": 0})), None),
                ("list_type = \"Set\"", Some(json!({"x-kubernetes-list-type": "Set"})), None),
                ("list_type = \"map\"", Some(json!({"x-kubernetes-list-type": "map"})), None),
                (
                    "list_type = \"set\", list_map_keys(\"a\")",
                    Some(
                        json!({"x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["a"]}),
                    ),
                    None,
                ),
                ("list_map_keys(\"a\")", Some(json!({"x-kubernetes-list-map-keys": ["a"]})), None),
                (
                    "list_type = \"map\", list_map_keys(\"a\")",
                    Some(
                        json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]}),
                    ),
                    None,
                ),
                ("unique_items = true", Some(json!({"uniqueItems": true})), None),
                ("items(pattern = \"(\")", Some(json!({"items": {"pattern": "("}})), None),
                (
                    "items(pattern = \"^a\", min_length = 1)",
                    Some(json!({"items": {"pattern": "^a", "minLength": 1}})),
                    None,
                ),
                (
                    "items(min_length = 5, max_length = 1)",
                    Some(json!({"items": {"minLength": 5, "maxLength": 1}})),
                    Some(NOTHING),
                ),
                (
                    "items(default = \"a\")",
                    Some(json!({"items": {"default": "a"}})),
                    Some("a default has no place in an element"),
                ),
                ("items(items(max_length = 1))", None, Some(OTHER_TYPE)),
                ("items()", Some(json!({})), None),
                ("items = 5", None, Some(NO_VALUE)),
                (
                    "items(enum_values(\"a\", \"a\"))",
                    Some(json!({"items": {"enum": ["a", "a"]}})),
                    Some(TWICE),
                ),
                (
                    "items(rule(\"self.size() < 5\"))",
                    Some(
                        json!({"maxItems": 5, "items": {"maxLength": 5, "x-kubernetes-validations": [{"rule": "self.size() < 5"}]}}),
                    ),
                    None,
                ),
                (
                    "items(rule(\"self < 5\"))",
                    Some(json!({"items": {"x-kubernetes-validations": [{"rule": "self < 5"}]}})),
                    None,
                ),
                (
                    "items(title = \"t\", description = \"d\")",
                    Some(json!({"items": {"title": "t", "description": "d"}})),
                    None,
                ),
            ],
        ),
        (
            "BTreeMap<String, i32>",
            map,
            vec![
                (
                    "min_properties = 1, max_properties = 5",
                    Some(json!({"minProperties": 1, "maxProperties": 5})),
                    None,
                ),
                (
                    "min_properties = 5, max_properties = 1",
                    Some(json!({"minProperties": 5, "maxProperties": 1})),
                    Some(NOTHING),
                ),
                ("min_properties = -1", Some(json!({"minProperties": -1})), Some(NO_VALUE)),
                (
                    "map_type = \"granular\"",
                    Some(json!({"x-kubernetes-map-type": "granular"})),
                    None,
                ),
                ("map_type = \"set\"", Some(json!({"x-kubernetes-map-type": "set"})), None),
                (
                    "values(minimum = 1, maximum = 5)",
                    Some(json!({"additionalProperties": {"minimum": 1, "maximum": 5}})),
                    None,
                ),
                (
                    "values(minimum = 5, maximum = 1)",
                    Some(json!({"additionalProperties": {"minimum": 5, "maximum": 1}})),
                    Some(NOTHING),
                ),
                (
                    "values(multiple_of = 0)",
                    Some(json!({"additionalProperties": {"multipleOf": 0}})),
                    Some(ABOVE_ZERO),
                ),
                (
                    "values(nullable)",
                    Some(json!({"additionalProperties": {"nullable": true}})),
                    Some(OTHER_TYPE),
                ),
                (
                    "values(default = 1)",
                    Some(json!({"additionalProperties": {"default": 1}})),
                    Some("a default has no place in a value"),
                ),
                (
                    "values(rule(\"self > 5\"))",
                    Some(
                        json!({"maxProperties": 5, "additionalProperties": {"x-kubernetes-validations": [{"rule": "self > 5"}]}}),
                    ),
                    None,
                ),
                (
                    "values(rule(\"self > '5'\"))",
                    Some(
                        json!({"additionalProperties": {"x-kubernetes-validations": [{"rule": "self > '5'"}]}}),
                    ),
                    None,
                ),
            ],
        ),
    ]
}

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (ty, schema, attributes) in rows() {
        for (attribute, keywords, why) in attributes {
            push(
                &mut probes,
                Probe {
                    name: format!("{ty}: {attribute}"),
                    source: format!("#[crd({attribute})] a: {ty},"),
                    meant: keywords.map(|keywords| with_field(merged(schema.clone(), &keywords))),
                    why: why.map(str::to_owned),
                    ..Probe::default()
                },
            );
        }
    }
    probes
}
