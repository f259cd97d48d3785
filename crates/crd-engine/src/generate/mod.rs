//! Generates values for a schema. Some are invalid, because rules and most of what junctors say are not taken into
//! account.

mod junctors;
mod object;

pub use junctors::with_one_branch;
pub(crate) use object::parts;
pub use object::{content, pointer, remove, shrink, whole_object};

use crd_cel::re2;
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
pub const DEPTH: u32 = 8;
/// The largest number of items or entries beyond the schema's minimum.
const MOST: i64 = 4;
/// The largest number of items or entries that a minimum can ask for.
const LARGEST: i64 = 1_000;
/// The largest number of characters that a minimum can ask for.
const LONGEST: usize = 100_000;

/// What is generated, apart from what the schema says.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Strings to use, such as those of samples and of rules. They may match a rule that no other string does.
    pub texts: Vec<String>,
    /// Integers to use where the schema allows them.
    pub integers: Vec<i64>,
    /// Whether fields that are not required are left out.
    pub is_sparse: bool,
}

/// Makes choices, the same ones for the same seed.
#[derive(Debug, Clone)]
pub struct Random(SplitMix64);

impl Random {
    /// Starts the choices of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Returns a number below `count`, or 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.0.next_u64() % count).unwrap_or_default()
    }

    /// Returns `true` once in so many times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns one of some values; `None` if there are none.
    pub fn choose<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
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

/// Generates a value for a schema that is nested `depth` levels deep in its object.
pub fn value(
    random: &mut Random,
    schema: &JsonSchemaProps,
    options: &Options,
    depth: u32,
) -> Value {
    let schema = &*with_one_branch(random, schema);
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
            integer(random, schema, options).into()
        } else {
            string(random, schema, options).into()
        };
    }
    match schema.type_.as_str() {
        "string" => string(random, schema, options).into(),
        "integer" => integer(random, schema, options).into(),
        "number" if random.one_in(2) => integer(random, schema, options).into(),
        #[expect(clippy::cast_precision_loss, reason = "a number near it will do")]
        "number" => json!(integer(random, schema, options) as f64 + 0.5),
        "boolean" => random.one_in(2).into(),
        "array" => array(random, schema, options, depth),
        "object" => object(random, schema, options, depth),
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

fn string(random: &mut Random, schema: &JsonSchemaProps, options: &Options) -> String {
    let formatted = FORMATS.iter().find(|(format, _)| *format == schema.format);
    if let Some((_, known)) = formatted {
        return random.choose(known).copied().unwrap_or_default().to_owned();
    }
    let mut text = match options.texts.as_slice() {
        texts if !texts.is_empty() && random.one_in(2) => {
            random.choose(texts).cloned().unwrap_or_default()
        }
        _ if !schema.pattern.is_empty() => {
            re2::example(&schema.pattern, &mut |count| random.below(count)).unwrap_or_default()
        }
        _ => random.choose(TEXTS).copied().unwrap_or_default().to_owned(),
    };
    let limit = |limit: Option<i64>| limit.and_then(|limit| usize::try_from(limit).ok());
    let length = text.chars().count();
    let least = limit(schema.min_length).unwrap_or_default().min(LONGEST);
    text.extend(std::iter::repeat_n('x', least.saturating_sub(length)));
    match limit(schema.max_length) {
        Some(most) if most < length => text.chars().take(most).collect(),
        _ => text,
    }
}

fn integer(random: &mut Random, schema: &JsonSchemaProps, options: &Options) -> i64 {
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
    let known = random.choose(&options.integers).copied();
    let number = match known.filter(|known| (least..=most).contains(known)) {
        Some(known) if random.one_in(2) => known,
        _ => random.between(least, most.max(least)),
    };
    match schema.multiple_of.map(whole) {
        Some(step) if step > 1 => number - number % step,
        _ => number,
    }
}

/// Chooses a number of items or entries within the bounds `least` and `most`, at most [`MOST`] above `least`.
fn count(random: &mut Random, least: Option<i64>, most: Option<i64>) -> i64 {
    let least = least.unwrap_or_default().clamp(0, LARGEST);
    let most = most.unwrap_or(MOST).min(least + MOST);
    random.between(least, most.max(least))
}

fn array(random: &mut Random, schema: &JsonSchemaProps, options: &Options, depth: u32) -> Value {
    let items = match &schema.items {
        Some(SchemaOrArray::Schema(items)) if depth < DEPTH => Some(items),
        _ => None,
    };
    let Some(items) = items else { return json!([]) };
    let most = if options.is_sparse { schema.min_items.unwrap_or_default() } else { i64::MAX };
    let most = schema.max_items.map_or(most, |limit| limit.min(most));
    let count = count(random, schema.min_items, (most < i64::MAX).then_some(most));
    let items = (0..count).map(|_| value(random, items, options, depth + 1)).collect();
    Value::Array(distinct(schema, items))
}

/// Removes items that a list of type `set` or `map` already has.
fn distinct(schema: &JsonSchemaProps, items: Vec<Value>) -> Vec<Value> {
    let keys = schema.x_list_map_keys.as_deref().unwrap_or_default();
    let key = |item: &Value| match schema.x_list_type.as_deref() {
        Some("set") => Some(item.clone()),
        Some("map") => {
            Some(keys.iter().map(|key| item.get(key).cloned()).map(Value::from).collect())
        }
        _ => None,
    };
    let mut seen: Vec<Value> = Vec::new();
    let mut is_new = |item: &Value| {
        key(item).is_none_or(|key| {
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        })
    };
    items.into_iter().filter(|item| is_new(item)).collect()
}

fn object(random: &mut Random, schema: &JsonSchemaProps, options: &Options, depth: u32) -> Value {
    let mut out = Map::new();
    let is_required = |name: &String| schema.required.iter().flatten().any(|other| other == name);
    let is_full = depth < DEPTH && !options.is_sparse;
    for (name, property) in schema.properties.iter().flatten() {
        if is_required(name) || (is_full && !random.one_in(3)) {
            out.insert(name.clone(), value(random, property, options, depth + 1));
        }
    }
    if depth < DEPTH
        && let Some(SchemaOrBool::Schema(values)) = &schema.additional_properties
    {
        let most = if is_full { schema.max_properties } else { schema.min_properties.or(Some(0)) };
        let count = count(random, schema.min_properties, most);
        for number in 0..count {
            out.insert(format!("key-{number}"), value(random, values, options, depth + 1));
        }
    }
    if schema.x_embedded_resource {
        out.insert("apiVersion".to_owned(), "v1".into());
        out.insert("kind".to_owned(), "Pod".into());
    }
    if is_full && schema.x_preserve_unknown_fields == Some(true) && random.one_in(2) {
        out.insert("unspecified".to_owned(), json!({"a": [1, "b"]}));
    }
    fill_up(random, schema, options, depth, &mut out);
    Value::Object(out)
}

/// Adds optional fields until there are as many as the schema requires.
fn fill_up(
    random: &mut Random,
    schema: &JsonSchemaProps,
    options: &Options,
    depth: u32,
    out: &mut Map<String, Value>,
) {
    let least = schema.min_properties.and_then(|least| usize::try_from(least).ok());
    for (name, property) in schema.properties.iter().flatten() {
        if depth >= DEPTH || out.len() >= least.unwrap_or_default() {
            return;
        }
        if !out.contains_key(name) {
            out.insert(name.clone(), value(random, property, options, depth + 1));
        }
    }
}

/// Returns a copy of the sample in which one part is replaced by a generated value.
pub fn edited(
    random: &mut Random,
    schema: &JsonSchemaProps,
    options: &Options,
    sample: &Value,
    depth: u32,
) -> Value {
    if random.one_in(4) {
        return value(random, schema, options, depth);
    }
    let mut out = sample.clone();
    match (&mut out, &schema.properties, &schema.items) {
        (Value::Object(map), Some(properties), _) if !properties.is_empty() => {
            let names: Vec<&String> = properties.keys().collect();
            let name = names[random.below(names.len())];
            let below = &properties[name];
            let part = match map.get(name) {
                Some(part) => edited(random, below, options, part, depth + 1),
                None => value(random, below, options, depth + 1),
            };
            map.insert(name.clone(), part);
            out
        }
        (Value::Array(list), _, Some(SchemaOrArray::Schema(items))) if !list.is_empty() => {
            let index = random.below(list.len());
            list[index] = edited(random, items, options, &list[index], depth + 1);
            out
        }
        _ => value(random, schema, options, depth),
    }
}

/// Collects all strings of a value, without the keys of objects.
pub fn texts(of: &Value, into: &mut Vec<String>) {
    match of {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Value::Object(map) => map.values().for_each(|item| texts(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests;
