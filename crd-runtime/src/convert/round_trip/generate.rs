//! Generates values for a schema. Some are invalid, because rules, junctors and most patterns are not taken into
//! account.

use serde_json::{Map, Value, json};

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

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
const DEPTH: u32 = 8;
/// The largest number of items or entries beyond the schema's minimum.
const MOST: i64 = 4;

/// A pseudorandom generator with a fixed seed.
///
/// Source: `SplitMix64`, by Sebastiano Vigna.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `count`, or 0 if `count` is 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % count).unwrap_or_default()
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn choose<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        values.get(self.below(values.len()))
    }

    /// Returns a number from `least` to `most`, mostly near one of them.
    fn between(&mut self, least: i64, most: i64) -> i64 {
        let span = u64::try_from(i128::from(most) - i128::from(least)).unwrap_or_default();
        let offset = match self.below(4) {
            0 => 0,
            1 => span,
            2 => self.next() % span.saturating_add(1).min(12),
            _ => self.next() % span.max(1),
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
        #[expect(clippy::cast_precision_loss, reason = "any number near it does")]
        "number" => json!(integer(random, schema) as f64 + 0.5),
        "boolean" => random.one_in(2).into(),
        "array" => array(random, schema, texts, depth),
        "object" => object(random, schema, texts, depth),
        // A schema without a type.
        _ => [json!("x"), json!(1), json!(true), json!({"a": ["b"]})][random.below(4)].clone(),
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
    #[expect(clippy::cast_possible_truncation, reason = "a float beyond int64 becomes its end")]
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
