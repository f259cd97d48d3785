//! Generates values for a schema. Some are invalid, because rules, junctors and most patterns are not taken into
//! account.

use serde_json::{Map, Value, json};

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};
use crate::random::SplitMix64;

/// Strings for schemas without a known format.
const TEXTS: &[&str] =
    &["", "a", "abc", "a-b", "example.com", "1", "0", "x y", "日本", "10Gi", "a_b", "/a/b"];
/// Valid strings of the known formats.
const FORMATS: &[(&str, &[&str])] = &[
    ("date-time", &["2024-01-01T00:00:00Z", "2024-02-29T12:30:00.5+01:00"]),
    ("date", &["2024-01-01", "2024-02-29"]),
    ("duration", &["1h", "1h30m", "3s"]),
    ("byte", &["YWJj", "YQ=="]),
    ("ipv4", &["127.0.0.1", "10.0.0.1"]),
    ("ipv6", &["::1", "fe80::1"]),
    ("ip", &["127.0.0.1", "::1"]),
    ("cidr", &["10.0.0.0/8", "fe80::/10"]),
    ("uri", &["https://example.com/a", "https://example.com"]),
    ("uuid", &["123e4567-e89b-12d3-a456-426614174000"]),
    ("email", &["a@example.com"]),
    ("hostname", &["example.com", "a"]),
    ("mac", &["00:11:22:33:44:55"]),
];
/// The nesting depth from which on optional fields, items of lists and entries of maps are left out.
pub(super) const DEPTH: u32 = 8;
/// The largest number of items or entries beyond the schema's minimum.
const MOST: i64 = 4;

/// Makes choices, the same ones for the same seed.
#[derive(Debug, Clone)]
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Returns a number below `count`, or 0 if `count` is 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.0.next_u64() % count).unwrap_or_default()
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn choose<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        values.get(self.below(values.len()))
    }

    /// Returns a letter for a letter, a digit for a digit, and any other character itself.
    fn letter_like(&mut self, letter: char) -> char {
        let first = match letter {
            'a'..='z' => b'a',
            'A'..='Z' => b'A',
            // A number may not begin with a zero.
            '1'..='9' => b'1',
            _ => return letter,
        };
        let count = if first == b'1' { 9 } else { 26 };
        char::from(first + u8::try_from(self.below(count)).unwrap_or_default())
    }

    /// Returns a number from `least` to `most`, mostly near one of them.
    fn between(&mut self, least: i64, most: i64) -> i64 {
        let span = u64::try_from(i128::from(most) - i128::from(least)).unwrap_or_default();
        let offset = match self.below(4) {
            0 => 0,
            1 => span,
            2 => self.0.next_u64() % span.saturating_add(1).min(12),
            _ => self.0.next_u64() % span.max(1),
        };
        least.saturating_add_unsigned(offset).min(most)
    }
}

/// Generates a value for a schema. `texts` are the strings of the samples; they may match a `pattern` that no string of
/// [`TEXTS`] matches.
pub(super) fn value(
    random: &mut Random,
    schema: &JsonSchemaProps,
    texts: &[String],
    depth: u32,
) -> Value {
    if let Some(member) = schema.enum_.as_ref().and_then(|members| random.choose(members)) {
        return member.clone();
    }
    if let Some(example) = &schema.example
        && random.one_in(2)
    {
        return varied(random, example);
    }
    if schema.nullable && random.one_in(6) {
        return Value::Null;
    }
    if schema.x_int_or_string {
        return if random.one_in(2) {
            integer(random, schema).into()
        } else {
            string(random, schema, texts).into()
        };
    }
    match schema.type_.as_str() {
        "string" => string(random, schema, texts).into(),
        "integer" => integer(random, schema).into(),
        "number" if random.one_in(2) => integer(random, schema).into(),
        #[expect(clippy::cast_precision_loss, reason = "a number near it will do")]
        "number" => json!(integer(random, schema) as f64 + 0.5),
        "boolean" => random.one_in(2).into(),
        "array" => array(random, schema, texts, depth),
        "object" => object(random, schema, texts, depth),
        // A schema without a type.
        _ => [json!("x"), json!(1), json!(true), json!({"a": ["b"]})][random.below(4)].clone(),
    }
}

/// Returns an example with other letters and digits, such as `qkmfc:47` for `nginx:80`.
fn varied(random: &mut Random, example: &Value) -> Value {
    match example {
        Value::String(text) => {
            text.chars().map(|letter| random.letter_like(letter)).collect::<String>().into()
        }
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.saturating_add(random.between(0, 9)).into(),
            None => example.clone(),
        },
        Value::Bool(_) => random.one_in(2).into(),
        Value::Array(items) => items.iter().map(|item| varied(random, item)).collect(),
        Value::Object(map) => {
            map.iter().map(|(key, below)| (key.clone(), varied(random, below))).collect()
        }
        Value::Null => Value::Null,
    }
}

fn string(random: &mut Random, schema: &JsonSchemaProps, texts: &[String]) -> String {
    let formatted = FORMATS.iter().find(|(format, _)| *format == schema.format);
    if let Some((_, known)) = formatted {
        return random.choose(known).copied().unwrap_or_default().to_owned();
    }
    // With a `pattern`, the samples' strings are used, because those of `TEXTS` rarely match.
    let from_samples = !texts.is_empty() && (!schema.pattern.is_empty() || random.one_in(2));
    let mut text = if from_samples {
        random.choose(texts).cloned().unwrap_or_default()
    } else {
        random.choose(TEXTS).copied().unwrap_or_default().to_owned()
    };
    let limit = |limit: Option<i64>| limit.and_then(|limit| usize::try_from(limit).ok());
    while limit(schema.min_length).is_some_and(|least| text.chars().count() < least.min(1_000)) {
        text.push('x');
    }
    if let Some(most) = limit(schema.max_length) {
        text = text.chars().take(most).collect();
    }
    text
}

fn integer(random: &mut Random, schema: &JsonSchemaProps) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a float beyond int64 is clamped to it")]
    let whole = |bound: f64| bound as i64;
    let (least, most) = match (schema.format.as_str(), schema.minimum, schema.maximum) {
        (_, Some(least), Some(most)) => (whole(least.ceil()), whole(most.floor())),
        (_, Some(least), None) => (whole(least.ceil()), whole(least.ceil()).saturating_add(1_000)),
        (_, None, Some(most)) => (whole(most.floor()).saturating_sub(1_000), whole(most.floor())),
        ("int32", None, None) => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    };
    let least = least.saturating_add(i64::from(schema.exclusive_minimum));
    let most = most.saturating_sub(i64::from(schema.exclusive_maximum));
    let number = random.between(least, most.max(least));
    match schema.multiple_of.map(whole) {
        Some(step) if step > 1 => number - number % step,
        _ => number,
    }
}

/// Chooses a number of items or entries within the bounds `least` and `most`, at most [`MOST`] above `least`.
fn count(random: &mut Random, least: Option<i64>, most: Option<i64>) -> i64 {
    let least = least.unwrap_or_default().clamp(0, 1_000);
    let most = most.unwrap_or(MOST).min(least + MOST);
    random.between(least, most.max(least))
}

fn array(random: &mut Random, schema: &JsonSchemaProps, texts: &[String], depth: u32) -> Value {
    let items = match &schema.items {
        Some(SchemaOrArray::Schema(items)) if depth < DEPTH => Some(items),
        _ => None,
    };
    let Some(items) = items else { return json!([]) };
    let count = count(random, schema.min_items, schema.max_items);
    (0..count).map(|_| value(random, items, texts, depth + 1)).collect()
}

fn object(random: &mut Random, schema: &JsonSchemaProps, texts: &[String], depth: u32) -> Value {
    let mut out = Map::new();
    let is_required = |name: &String| schema.required.iter().flatten().any(|other| other == name);
    for (name, property) in schema.properties.iter().flatten() {
        if is_required(name) || (depth < DEPTH && !random.one_in(3)) {
            out.insert(name.clone(), value(random, property, texts, depth + 1));
        }
    }
    if depth < DEPTH
        && let Some(SchemaOrBool::Schema(values)) = &schema.additional_properties
    {
        let count = count(random, schema.min_properties, schema.max_properties);
        for number in 0..count {
            out.insert(format!("key-{number}"), value(random, values, texts, depth + 1));
        }
    }
    if schema.x_embedded_resource {
        out.insert("apiVersion".to_owned(), "v1".into());
        out.insert("kind".to_owned(), "Pod".into());
    }
    if schema.x_preserve_unknown_fields == Some(true) && random.one_in(2) {
        out.insert("unspecified".to_owned(), json!({"a": [1, "b"]}));
    }
    Value::Object(out)
}

/// Returns a copy of the sample in which one part is replaced by a generated value.
pub(super) fn edited(
    random: &mut Random,
    schema: &JsonSchemaProps,
    texts: &[String],
    sample: &Value,
    depth: u32,
) -> Value {
    if random.one_in(4) {
        return value(random, schema, texts, depth);
    }
    let mut out = sample.clone();
    match (&mut out, &schema.properties, &schema.items) {
        (Value::Object(map), Some(properties), _) if !properties.is_empty() => {
            let names: Vec<&String> = properties.keys().collect();
            let name = names[random.below(names.len())];
            let below = &properties[name];
            let part = match map.get(name) {
                Some(part) => edited(random, below, texts, part, depth + 1),
                None => value(random, below, texts, depth + 1),
            };
            map.insert(name.clone(), part);
            out
        }
        (Value::Array(list), _, Some(SchemaOrArray::Schema(items))) if !list.is_empty() => {
            let index = random.below(list.len());
            list[index] = edited(random, items, texts, &list[index], depth + 1);
            out
        }
        _ => value(random, schema, texts, depth),
    }
}

/// Collects all strings of a value, without the keys of objects.
pub(super) fn texts(of: &Value, into: &mut Vec<String>) {
    match of {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Value::Object(map) => map.values().for_each(|item| texts(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn schema(of: Value) -> JsonSchemaProps {
        serde_json::from_value(of).expect("a schema")
    }

    /// The values that are generated for a schema.
    fn values(of: Value) -> BTreeSet<String> {
        let (schema, mut random) = (schema(of), Random::new(0));
        (0..500).map(|_| value(&mut random, &schema, &[], 0).to_string()).collect()
    }

    #[test]
    fn numbers_between_two_are_often_near_the_first_or_the_last() {
        let mut random = Random::new(0);
        let mut near = [0; 3];
        for _ in 0..1_000 {
            match random.between(10, 1_010) {
                10..22 => near[0] += 1,
                1_010 => near[1] += 1,
                22..1_010 => near[2] += 1,
                other => panic!("{other}"),
            }
        }
        assert!(near.iter().all(|count| *count > 200), "{near:?}");
        let all: BTreeSet<i64> = (0..200).map(|_| random.between(-1, 2)).collect();
        assert_eq!(all, (-1..=2).collect());
        let ends: BTreeSet<i64> = (0..20).map(|_| random.between(i64::MIN, i64::MAX)).collect();
        assert!(ends.contains(&i64::MIN) && ends.contains(&i64::MAX), "{ends:?}");
    }

    #[test]
    fn integers_are_within_their_bounds() {
        #[track_caller]
        fn check(keys: Value, least: i64, most: i64) {
            let (schema, mut random) = (schema(keys), Random::new(0));
            let all: BTreeSet<i64> = (0..500).map(|_| integer(&mut random, &schema)).collect();
            assert_eq!((all.first(), all.last()), (Some(&least), Some(&most)), "{schema:?}");
        }
        check(json!({}), i64::MIN, i64::MAX);
        check(json!({"format": "int32"}), i32::MIN.into(), i32::MAX.into());
        check(json!({"format": "int32", "minimum": 2.5, "maximum": 7.5}), 3, 7);
        check(json!({"minimum": 2, "exclusiveMinimum": true}), 3, 1_002);
        check(json!({"maximum": 2, "exclusiveMaximum": true}), -998, 1);
        check(json!({"minimum": 3, "maximum": 11, "multipleOf": 4}), 0, 8);
        check(json!({"minimum": 3, "maximum": 11, "multipleOf": 1}), 3, 11);
        check(json!({"minimum": 3, "maximum": 11, "multipleOf": 0.5}), 3, 11);
    }

    #[test]
    fn texts_are_within_their_bounds() {
        let samples = vec!["sample".to_owned()];
        let all = |keys: Value| -> BTreeSet<String> {
            let (schema, mut random) = (schema(keys), Random::new(0));
            (0..500).map(|_| string(&mut random, &schema, &samples)).collect()
        };
        assert_eq!(all(json!({"pattern": "."})), BTreeSet::from(["sample".to_owned()]));
        let any = all(json!({}));
        assert!(any.contains("sample") && TEXTS.iter().all(|text| any.contains(*text)), "{any:?}");
        let of_three = all(json!({"minLength": 3, "maxLength": 3}));
        assert!(of_three.iter().all(|text| text.chars().count() == 3), "{of_three:?}");
        assert!(of_three.contains("axx") && of_three.contains("exa"), "{of_three:?}");
        assert_eq!(all(json!({"format": "date"})).len(), 2);
    }

    #[test]
    fn values_have_every_allowed_type() {
        let some = |of: Value, has: &dyn Fn(&str) -> bool| values(of).iter().any(|v| has(v));
        assert!(some(json!({"type": "integer", "nullable": true}), &|text| text == "null"));
        assert!(!some(json!({"type": "integer"}), &|text| text == "null"));
        let both = json!({"x-kubernetes-int-or-string": true, "minimum": 1, "maximum": 2});
        assert!(some(both.clone(), &|text| text.starts_with('"')));
        assert!(some(both, &|text| text == "2"));
        let number = json!({"type": "number", "minimum": 1, "maximum": 2});
        assert_eq!(Vec::from_iter(values(number)), ["1", "1.5", "2", "2.5"]);
        assert_eq!(Vec::from_iter(values(json!({"type": "boolean"}))), ["false", "true"]);
        assert_eq!(Vec::from_iter(values(json!({"enum": [1, "a"]}))), ["\"a\"", "1"]);
        let untyped = values(json!({}));
        assert_eq!(untyped.len(), 4, "{untyped:?}");
    }

    #[test]
    fn lists_and_objects_have_the_bounded_size() {
        let sizes = |keys: Value| -> BTreeSet<usize> {
            let (schema, mut random) = (schema(keys), Random::new(0));
            let size = |value: Value| match value {
                Value::Array(items) => items.len(),
                Value::Object(map) => map.len(),
                other => panic!("{other}"),
            };
            (0..200).map(|_| size(value(&mut random, &schema, &[], 0))).collect()
        };
        let items = json!({"type": "boolean"});
        let list = json!({"type": "array", "items": items});
        assert_eq!(sizes(list), (0..=4).collect());
        let list = json!({"type": "array", "items": items, "minItems": 2, "maxItems": 3});
        assert_eq!(sizes(list), (2..=3).collect());
        let map = json!({"type": "object", "additionalProperties": items, "minProperties": 1});
        assert_eq!(sizes(map), (1..=4).collect());
        let map = json!({
            "type": "object", "additionalProperties": items, "minProperties": 1,
            "maxProperties": 9,
        });
        assert_eq!(sizes(map), (1..=5).collect());
        let object = json!({
            "type": "object", "required": ["a"], "properties": {"a": items, "b": items},
        });
        assert_eq!(sizes(object), (1..=2).collect());
        let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        assert_eq!(sizes(any), (0..=1).collect());
        let closed = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": false});
        assert_eq!(sizes(closed), (0..=0).collect());
    }

    #[test]
    fn values_end_at_the_depth() {
        let mut nested = json!({"type": "boolean"});
        for _ in 0..20 {
            nested = json!({"type": "array", "minItems": 1, "items": nested});
        }
        let text = value(&mut Random::new(0), &schema(nested), &[], 0).to_string();
        let depth = usize::try_from(DEPTH).expect("a depth");
        assert!(text.starts_with(&"[".repeat(depth + 1)) && text.contains("[]"), "{text}");
        assert!(!text.contains(&"[".repeat(depth + 2)), "{text}");
        let leaf = json!({"type": "object", "additionalProperties": {"type": "boolean"}});
        let at = |depth| values_at(&leaf, depth);
        assert!(at(DEPTH - 1).len() > 1);
        assert_eq!(at(DEPTH), BTreeSet::from(["{}".to_owned()]));
        let optional = json!({"type": "object", "properties": {"a": {"type": "boolean"}}});
        assert_eq!(values_at(&optional, DEPTH), BTreeSet::from(["{}".to_owned()]));
    }

    #[test]
    fn objects_end_at_the_depth() {
        let (mut optional, mut maps) = (json!({"type": "boolean"}), json!({"type": "boolean"}));
        for _ in 0..20 {
            optional = json!({"type": "object", "properties": {"a": optional}});
            maps = json!({"type": "object", "minProperties": 1, "maxProperties": 2, "additionalProperties": maps});
        }
        let depth = usize::try_from(DEPTH).expect("a depth");
        for of in [optional, maps] {
            let (schema, mut random) = (schema(of), Random::new(0));
            let deepest = (0..300).map(|_| {
                let text = value(&mut random, &schema, &[], 0).to_string();
                text.len() - text.trim_end_matches('}').len()
            });
            assert_eq!(deepest.max(), Some(depth + 1), "{schema:?}");
        }
    }

    /// The depth of a replaced part is counted from the root of the object, not from the part.
    #[test]
    fn replaced_parts_end_at_the_depth() {
        let part = json!({"type": "object", "properties": {"b": {"type": "boolean"}}});
        let object = schema(json!({"type": "object", "properties": {"a": part}}));
        let list = schema(json!({"type": "array", "items": part}));
        let mut random = Random::new(0);
        for _ in 0..100 {
            let new = edited(&mut random, &object, &[], &json!({"s": 1}), DEPTH - 1);
            assert!(new["s"].is_null() || new["a"] == json!({}), "{new}");
            let new = edited(&mut random, &object, &[], &json!({"a": {"s": 1}}), DEPTH - 1);
            assert!(new["a"]["s"] == 1 || new["a"].get("b").is_none(), "{new}");
            let new = edited(&mut random, &list, &[], &json!([{"s": 1}]), DEPTH - 1);
            assert!(new[0]["s"] == 1 || new[0].get("b").is_none(), "{new}");
            edited(&mut random, &object, &[], &json!({"s": 1}), 0);
            edited(&mut random, &list, &[], &json!([{"s": 1}]), 0);
            let empty = schema(json!({"type": "object", "properties": {}}));
            assert!(edited(&mut random, &empty, &[], &json!({"s": 1}), 0).is_object());
        }
    }

    fn values_at(of: &Value, depth: u32) -> BTreeSet<String> {
        let (schema, mut random) = (schema(of.clone()), Random::new(0));
        (0..50).map(|_| value(&mut random, &schema, &[], depth).to_string()).collect()
    }

    #[test]
    fn one_part_of_a_sample_is_replaced() {
        let schema = schema(json!({"type": "object", "properties": {
            "a": {"type": "integer"}, "l": {"type": "array", "items": {"type": "integer"}},
        }}));
        let sample = json!({"a": 7, "l": [1, 2, 3], "unknown": 8});
        let mut random = Random::new(0);
        let (mut same, mut items, mut other) = (0, 0, 0);
        for _ in 0..500 {
            let value = edited(&mut random, &schema, &[], &sample, 0);
            if value["unknown"] == 8 {
                same += 1;
                let changed = value["a"] != 7;
                let list = value["l"].as_array().expect("a list");
                let replaced = list.len() == 3
                    && (0..3).filter(|at| list[*at] != sample["l"][*at]).count() == 1;
                items += usize::from(replaced);
                assert!(!changed || value["l"] == sample["l"], "{value}");
            } else {
                other += 1;
            }
        }
        assert!(same > 300 && items > 50 && other > 80, "{same} {items} {other}");
        let none = edited(&mut random, &schema, &[], &json!({}), 0);
        assert!(none.is_object(), "{none}");
        let empty = json!({"type": "array", "items": {"type": "integer"}, "minItems": 1});
        let empty: JsonSchemaProps = serde_json::from_value(empty).expect("a schema");
        assert_ne!(edited(&mut random, &empty, &[], &json!([]), 0), json!([]));
    }
}
