//! Generates definitions: structural schemas with every keyword, and schemas that are broken on purpose.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::{object, rule, views};

/// The share of schemas that get a mistake in a definition that is broken on purpose, in thousandths.
const BREAK_PER_MILLE: u32 = 120;
/// The deepest nesting of generated schemas, in levels.
const MAX_DEPTH: u32 = 4;

/// Settings of the generator.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings {
    /// Whether schemas get mistakes.
    pub(super) broken: bool,
    /// Whether schemas get rules.
    pub(super) rules: bool,
}

/// Names of properties; CEL must escape some of them, and cannot use others at all.
const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "name",
    "value",
    "replicas",
    "my-key",
    "x.y",
    "namespace",
    "a__b",
    "_u",
    "日本",
    "1st",
    "status",
    "spec",
    "metadata",
    "kind",
    "in",
    "a/b",
];
/// The number of common names, which come first in [`NAMES`].
const COMMON_NAMES: usize = 6;
const PATTERNS: &[&str] = &[
    "^[a-z]+$",
    "^a",
    "b$",
    "^\\d{1,3}$",
    "[a-z]([-a-z0-9]*[a-z0-9])?",
    "^(a|b)+$",
    "\\w\\s",
    "^$",
    "(?i)ABC",
    "^[^@]+@[^@]+$",
    "日",
    "a{,5}",
    "^\\pL+$",
];
const BAD_PATTERNS: &[&str] = &["(", "[a", "a**", "(?=a)", "a{1001}", "\\8", "x{2,1}"];
const FORMATS: &[&str] = &[
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "date-time",
    "duration",
    "k8s-short-name",
    "k8s-long-name",
    "datetime",
    "int32",
    "unknown-format",
];
const INTEGER_BOUNDS: &[f64] = &[-1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 10.0, 100.0, 2_147_483_647.0];
const NUMBER_BOUNDS: &[f64] = &[-1.5, 0.0, 0.5, 1.0, 1.5, 10.0, 1e6, 1e300];

/// Generates a definition of the resource `widgets.example.com`.
pub(super) fn definition(rng: &mut Rng, settings: Settings) -> Value {
    let mut properties = Map::new();
    let spec = if rng.u8(..6) == 0 { node(rng, settings, 1) } else { record(rng, settings, 1) };
    properties.insert("spec".into(), spec);
    if rng.u8(..2) == 0 {
        properties.insert("status".into(), node(rng, settings, 2));
    }
    if rng.u8(..5) == 0 {
        properties.insert("extra".into(), node(rng, settings, 2));
    }
    if rng.u8(..12) == 0 {
        let name =
            json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 20}}});
        properties.insert("metadata".into(), name);
    }
    let mut root = json!({"type": "object", "properties": properties});
    if rng.u8(..6) == 0 {
        set(&mut root, "required", json!(["spec"]));
    }
    if settings.rules && rng.u8(..3) == 0 {
        let rules: Vec<Value> = (0..rng.u8(1..3)).map(|_| rule(rng, &root, true)).collect();
        set(&mut root, "x-kubernetes-validations", Value::Array(rules));
    }
    if settings.broken {
        break_node(rng, &mut root);
    }
    let mut version = json!({"name": "v1", "served": true, "storage": true});
    if !(settings.broken && rng.u8(..40) == 0) {
        set(&mut version, "schema", json!({"openAPIV3Schema": root}));
    }
    views::add(rng, &mut version, settings);
    let mut names = json!({"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"});
    if settings.broken && rng.u8(..8) == 0 {
        let (key, value) = *rng
            .choice(&[
                ("plural", "Widgets"),
                ("kind", "widget_"),
                ("singular", "w.w"),
                ("listKind", ""),
                ("kind", ""),
                ("plural", ""),
            ])
            .unwrap_or(&("plural", ""));
        set(&mut names, key, value.into());
    }
    let scope = if rng.u8(..4) == 0 { "Cluster" } else { "Namespaced" };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "scope": scope, "names": names, "versions": [version]},
    })
}

/// Returns the schema of the first version; `null` if there is none.
pub fn root_schema(definition: &Value) -> &Value {
    definition.pointer("/spec/versions/0/schema/openAPIV3Schema").unwrap_or(&Value::Null)
}

pub(super) fn set(node: &mut Value, key: &str, value: Value) {
    if let Value::Object(map) = node {
        map.insert(key.to_owned(), value);
    }
}

fn node(rng: &mut Rng, settings: Settings, depth: u32) -> Value {
    let leaf = depth >= MAX_DEPTH;
    let mut node = match rng.u8(..if leaf { 11 } else { 20 }) {
        0..=3 => string(rng),
        4..=6 => number(rng, "integer"),
        7 => number(rng, "number"),
        8 => json!({"type": "boolean"}),
        9 => int_or_string(rng),
        10 => json!({"x-kubernetes-preserve-unknown-fields": true}),
        11..=13 => array(rng, settings, depth),
        14 => map(rng, settings, depth),
        _ => record(rng, settings, depth),
    };
    if rng.u8(..10) == 0 {
        set(&mut node, "nullable", true.into());
    }
    if rng.u8(..12) == 0 {
        add_junctor(rng, &mut node);
    }
    if rng.u8(..12) == 0 {
        let members: Vec<Value> =
            (0..rng.u8(1..4)).map(|_| object::value(rng, &node, 0, 5)).collect();
        set(&mut node, "enum", Value::Array(members));
    }
    if rng.u8(..7) == 0 {
        let default = object::value(rng, &node, 0, if settings.broken { 10 } else { 0 });
        set(&mut node, "default", default);
    }
    if settings.rules && rng.u8(..4) == 0 {
        let rules: Vec<Value> = (0..rng.u8(1..3)).map(|_| rule(rng, &node, false)).collect();
        set(&mut node, "x-kubernetes-validations", Value::Array(rules));
    }
    if rng.u8(..20) == 0 {
        set(&mut node, "description", "what it is".into());
    }
    if rng.u8(..30) == 0 {
        let example = object::anything(rng, 2);
        set(&mut node, "example", example);
    }
    if rng.u8(..30) == 0 {
        let docs =
            [json!({"url": "https://a.b", "description": "d"}), json!({"url": ""}), json!({})];
        set(&mut node, "externalDocs", docs[rng.usize(..docs.len())].clone());
        set(&mut node, "title", "t".into());
    }
    if settings.broken {
        break_node(rng, &mut node);
    }
    node
}

fn string(rng: &mut Rng) -> Value {
    let mut node = json!({"type": "string"});
    if rng.u8(..3) == 0 {
        set(&mut node, "maxLength", rng.u8(..12).into());
    }
    if rng.u8(..4) == 0 {
        set(&mut node, "minLength", rng.u8(..4).into());
    }
    if rng.u8(..6) == 0 {
        set(&mut node, "pattern", PATTERNS[rng.usize(..PATTERNS.len())].into());
    }
    if rng.u8(..4) == 0 {
        set(&mut node, "format", FORMATS[rng.usize(..FORMATS.len())].into());
    }
    node
}

fn number(rng: &mut Rng, type_: &str) -> Value {
    let mut node = json!({"type": type_});
    let bounds =
        if type_ == "integer" && rng.u8(..8) != 0 { INTEGER_BOUNDS } else { NUMBER_BOUNDS };
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if rng.u8(..3) == 0 {
            set(&mut node, bound, bounds[rng.usize(..bounds.len())].into());
            if rng.u8(..4) == 0 {
                set(&mut node, exclusive, true.into());
            }
        }
    }
    if rng.u8(..8) == 0 {
        let factors = [1.0, 2.0, 3.0, 0.5, 0.1, 1.5];
        set(&mut node, "multipleOf", factors[rng.usize(..factors.len())].into());
    }
    if rng.u8(..4) == 0 {
        let formats = ["int32", "int64", "float", "double", "uint32"];
        set(&mut node, "format", formats[rng.usize(..formats.len())].into());
    }
    node
}

fn int_or_string(rng: &mut Rng) -> Value {
    let mut node = json!({"x-kubernetes-int-or-string": true});
    match rng.u8(..4) {
        0 => set(&mut node, "anyOf", json!([{"type": "integer"}, {"type": "string"}])),
        1 => {
            let any =
                json!([{"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"pattern": "^a"}]);
            set(&mut node, "allOf", any);
        }
        2 => set(&mut node, "pattern", "^[0-9]+%?$".into()),
        _ => {}
    }
    if rng.u8(..4) == 0 {
        set(&mut node, "maximum", 10.into());
    }
    node
}

fn array(rng: &mut Rng, settings: Settings, depth: u32) -> Value {
    let mut node = json!({"type": "array"});
    match rng.u8(..6) {
        0 | 1 => {
            let keys: &[&str] = if rng.u8(..3) == 0 { &["name", "b"] } else { &["name"] };
            let mut items = record(rng, settings, depth + 1);
            for key in keys {
                let type_ = if rng.u8(..4) == 0 { "integer" } else { "string" };
                let mut schema = json!({"type": type_});
                if rng.u8(..5) == 0 {
                    let default = if type_ == "integer" { json!(1) } else { json!("d") };
                    set(&mut schema, "default", default);
                }
                if let Some(properties) = items.get_mut("properties") {
                    set(properties, key, schema);
                }
            }
            set(&mut items, "required", json!(keys));
            if let Value::Object(items) = &mut items {
                items.remove("default");
                items.remove("nullable");
            }
            set(&mut node, "items", items);
            set(&mut node, "x-kubernetes-list-type", "map".into());
            set(&mut node, "x-kubernetes-list-map-keys", json!(keys));
        }
        2 => {
            let mut items = if rng.bool() { string(rng) } else { number(rng, "integer") };
            if rng.u8(..6) == 0 {
                items = json!({"type": "object", "x-kubernetes-map-type": "atomic",
                    "properties": {"a": {"type": "string"}}});
            }
            set(&mut node, "items", items);
            set(&mut node, "x-kubernetes-list-type", "set".into());
        }
        n => {
            let items = self::node(rng, settings, depth + 1);
            set(&mut node, "items", items);
            if n == 3 {
                set(&mut node, "x-kubernetes-list-type", "atomic".into());
            }
        }
    }
    if rng.u8(..2) == 0 {
        set(&mut node, "maxItems", rng.u8(..6).into());
    }
    if rng.u8(..6) == 0 {
        set(&mut node, "minItems", rng.u8(..3).into());
    }
    node
}

fn map(rng: &mut Rng, settings: Settings, depth: u32) -> Value {
    let values = if rng.u8(..8) == 0 { rng.bool().into() } else { node(rng, settings, depth + 1) };
    let mut node = json!({"type": "object", "additionalProperties": values});
    if rng.bool() {
        set(&mut node, "maxProperties", rng.u8(..5).into());
    }
    if rng.u8(..6) == 0 {
        set(&mut node, "minProperties", rng.u8(..3).into());
    }
    node
}

fn record(rng: &mut Rng, settings: Settings, depth: u32) -> Value {
    let mut properties = Map::new();
    for _ in 0..rng.u8(1..5) {
        let pool = if rng.u8(..3) == 0 { NAMES.len() } else { COMMON_NAMES };
        let name = NAMES[rng.usize(..pool)];
        let schema = if name == "replicas" {
            number(rng, "integer")
        } else {
            node(rng, settings, depth + 1)
        };
        properties.insert(name.to_owned(), schema);
    }
    let required: Vec<String> = properties.keys().filter(|_| rng.u8(..4) == 0).cloned().collect();
    let mut node = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        set(&mut node, "required", json!(required));
    }
    match rng.u8(..24) {
        0 => set(&mut node, "x-kubernetes-preserve-unknown-fields", true.into()),
        1 => {
            if let Some(Value::Object(properties)) = node.get_mut("properties") {
                properties.retain(|name, _| !matches!(&**name, "metadata" | "kind"));
            }
            set(&mut node, "x-kubernetes-embedded-resource", true.into());
            set(&mut node, "x-kubernetes-preserve-unknown-fields", true.into());
        }
        2 => set(&mut node, "maxProperties", 3.into()),
        3 => set(&mut node, "minProperties", 1.into()),
        4 => set(&mut node, "x-kubernetes-map-type", "atomic".into()),
        _ => {}
    }
    node
}

/// Adds `allOf`, `anyOf`, `oneOf` or `not`, which restricts the schema's own fields, or its value if it has no fields.
fn add_junctor(rng: &mut Rng, node: &mut Value) {
    let mut names: Vec<String> = node
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| properties.keys().filter(|name| *name != "metadata").cloned().collect())
        .unwrap_or_default();
    rng.shuffle(&mut names);
    let branch = |rng: &mut Rng| match (names.first(), rng.u8(..4)) {
        (Some(name), 0) => json!({"required": [name]}),
        (Some(name), 1) => json!({"properties": {name: {"enum": ["a", 1, true]}}}),
        (Some(name), _) => {
            let other = names.last().unwrap_or(name);
            json!({"required": [other], "properties": {name: {"minLength": 1, "maximum": 3}}})
        }
        (None, 0) => json!({"minLength": 2}),
        (None, 1) => json!({"maximum": 5, "pattern": "^a"}),
        (None, 2) => json!({"enum": ["a", "abc", 1, 2]}),
        (None, _) => json!({"format": "date", "maxItems": 2}),
    };
    let (one, two) = (branch(rng), branch(rng));
    match rng.u8(..4) {
        0 => set(node, "allOf", json!([one, two])),
        1 => set(node, "anyOf", json!([one, two])),
        2 => set(node, "oneOf", json!([one, two])),
        _ => set(node, "not", one),
    }
}

fn break_node(rng: &mut Rng, node: &mut Value) {
    if rng.u32(..1000) < BREAK_PER_MILLE {
        make_mistake(rng, node);
    }
}

/// Adds a keyword that is wrong in most schemas, or removes one.
pub(super) fn make_mistake(rng: &mut Rng, node: &mut Value) {
    let mistakes = [
        ("type", json!("")),
        ("type", json!("bogus")),
        ("type", json!("null")),
        ("uniqueItems", json!(true)),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
        ("x-kubernetes-int-or-string", json!(true)),
        ("x-kubernetes-embedded-resource", json!(true)),
        ("x-kubernetes-list-type", json!("map")),
        ("x-kubernetes-list-type", json!("bogus")),
        ("x-kubernetes-list-type", json!("set")),
        ("x-kubernetes-list-map-keys", json!(["name", "name"])),
        ("x-kubernetes-list-map-keys", json!(["zz"])),
        ("x-kubernetes-map-type", json!("bogus")),
        ("x-kubernetes-map-type", json!("granular")),
        ("additionalProperties", json!({"type": "string"})),
        ("additionalProperties", json!(false)),
        ("patternProperties", json!({"a": {"type": "string"}})),
        ("definitions", json!({"a": {"type": "string"}})),
        ("dependencies", json!({"a": ["b"]})),
        ("$ref", json!("#/definitions/a")),
        ("id", json!("x")),
        ("$schema", json!("http://json-schema.org/schema#")),
        ("items", json!([{"type": "string"}])),
        ("additionalItems", json!(true)),
        ("items", json!({})),
        ("items", json!({"type": "string", "x-kubernetes-validations": [{"rule": "self != 'a'"}]})),
        ("default", json!(12)),
        ("default", json!({"zz": 1})),
        ("default", json!(null)),
        ("default", json!("x")),
        ("maxLength", json!(-1)),
        ("minimum", json!(1e300)),
        ("pattern", json!(BAD_PATTERNS[rng.usize(..BAD_PATTERNS.len())])),
        ("allOf", json!([{"type": "string"}])),
        ("anyOf", json!([{"properties": {"zz": {"type": "string"}}}])),
        ("oneOf", json!([{"default": 1, "title": "t", "nullable": true}])),
        ("not", json!({"x-kubernetes-list-type": "set", "description": "d"})),
        ("not", json!({"items": {"pattern": "("}})),
        ("nullable", json!(true)),
        (
            "properties",
            json!({"metadata": {"type": "object", "properties": {"labels": {"type": "object"}}}}),
        ),
        ("properties", json!({"kind": {"type": "integer"}, "metadata": {"type": "string"}})),
        ("required", json!([""])),
        (
            "x-kubernetes-validations",
            json!([{"rule": ""}, {"rule": "self == self", "message": " "}]),
        ),
        (
            "x-kubernetes-validations",
            json!([{"rule": "true\n&& true"}, {"rule": "1"}, {"rule": "self.zz > 1"}]),
        ),
        ("x-kubernetes-validations", json!([{"rule": "true", "fieldPath": ".zz", "reason": "X"}])),
        (
            "x-kubernetes-validations",
            json!([{"rule": "oldSelf == self", "messageExpression": "1"}]),
        ),
    ];
    let (key, value) = mistakes[rng.usize(..mistakes.len())].clone();
    if rng.u8(..8) == 0 {
        if let Value::Object(map) = node {
            map.remove(key);
        }
    } else {
        set(node, key, value);
    }
}
