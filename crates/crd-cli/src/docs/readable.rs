//! Values that people can read, for schemas: defaults, members of enums, examples, and texts by the name of the field.

use crd_cel::re2::{self, Regex};
use serde_json::{Map, Value, json};

use crate::generate::{self, Options, Random};
use crate::model::JsonSchemaProps;
use crate::schemas;

/// Texts for a field whose name has a word, in the order in which they are tried.
const BY_NAME: [(&str, &str); 12] = [
    ("namespace", "default"),
    ("image", "registry.example.com/app:1.0"),
    ("url", "https://example.com"),
    ("uri", "https://example.com"),
    ("endpoint", "https://example.com"),
    ("host", "example.com"),
    ("domain", "example.com"),
    ("email", "admin@example.com"),
    ("path", "/data"),
    ("schedule", "0 3 * * *"),
    ("apiversion", "v1"),
    ("kind", "ConfigMap"),
];
/// Texts for a field with a pattern.
const BY_PATTERN: [&str; 14] = [
    "example",
    "example.com",
    "1",
    "1Gi",
    "100m",
    "1h",
    "30s",
    "v1",
    "Example",
    "/data",
    "EXAMPLE",
    "https://example.com",
    "10.0.0.0/8",
    "2024-01-01T00:00:00Z",
];
/// Valid texts of formats.
const BY_FORMAT: [(&str, &str); 13] = [
    ("date-time", "2024-01-01T00:00:00Z"),
    ("date", "2024-01-01"),
    ("duration", "1h"),
    ("byte", "ZXhhbXBsZQ=="),
    ("ipv4", "10.0.0.1"),
    ("ipv6", "fe80::1"),
    ("ip", "10.0.0.1"),
    ("cidr", "10.0.0.0/8"),
    ("uri", "https://example.com"),
    ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    ("email", "admin@example.com"),
    ("hostname", "example.com"),
    ("mac", "00:11:22:33:44:55"),
];
/// Numbers for a field whose name has a word.
const NUMBERS: [(&str, i64); 6] = [
    ("port", 8080),
    ("replicas", 3),
    ("seconds", 30),
    ("minutes", 5),
    ("percent", 50),
    ("timeout", 30),
];
/// What a field without any of these has.
const TEXT: &str = "example";
/// The most attempts at a text that matches a pattern.
const TRIES: usize = 50;
/// The most items of a list, and characters that a text is filled up with.
const MOST: usize = 1_000;

/// Makes values. With the literals of rules, it makes others, which rules may accept.
pub(super) struct Readable<'a> {
    pub(super) random: &'a mut Random,
    pub(super) literals: Option<&'a Options>,
}

impl Readable<'_> {
    /// Returns a value. Optional fields are written up to a depth; the recursion is as deep as the schema.
    pub(super) fn value(&mut self, schema: &JsonSchemaProps, name: &str, depth: usize) -> Value {
        let is_structure = schema.properties.is_some();
        let default = schema.default.as_ref().filter(|default| !default.is_null());
        // A default of an object is often empty.
        if let Some(default) = default.filter(|_| !is_structure && !self.is_varied()) {
            return default.clone();
        }
        let members: Vec<&Value> =
            schema.enum_.iter().flatten().filter(|member| !member.is_null()).collect();
        if let Some(first) = members.first() {
            let other = self.random.choose(&members).unwrap_or(first);
            return if self.literals.is_some() { (*other).clone() } else { (*first).clone() };
        }
        if let Some(example) = &schema.example {
            return example.clone();
        }
        let schema = &*generate::with_one_branch(self.random, schema);
        match schema.type_.as_str() {
            _ if schema.x_int_or_string => self.integer(schema, name).into(),
            "string" => self.text(schema, name).into(),
            "integer" => self.integer(schema, name).into(),
            "number" => self.number(schema, name),
            "boolean" => (!self.is_varied()).into(),
            "array" => self.list(schema, name, depth),
            "object" => self.object(schema, depth),
            _ => json!({}),
        }
    }

    /// Decides whether something is another value than the first one that comes to mind.
    fn is_varied(&mut self) -> bool {
        self.literals.is_some() && self.random.one_in(3)
    }

    fn object(&mut self, schema: &JsonSchemaProps, depth: usize) -> Value {
        let mut out = Map::new();
        if schema.x_embedded_resource {
            out.insert("apiVersion".to_owned(), "v1".into());
            out.insert("kind".to_owned(), "ConfigMap".into());
            out.insert("metadata".to_owned(), json!({"name": TEXT}));
        }
        for (name, property) in schema.properties.iter().flatten() {
            let is_required = schema.required.iter().flatten().any(|other| other == name);
            let is_written = if is_required {
                // The server sets a default.
                depth > 0 || property.default.is_none()
            } else {
                depth > 0 && !self.is_varied()
            };
            if is_written && !out.contains_key(name) {
                let below = self.value(property, name, depth.saturating_sub(1));
                out.insert(name.clone(), below);
            }
        }
        if let Some(values) = schemas::values(schema) {
            let least = size(schema.min_properties);
            let count = if depth > 0 { least.max(1) } else { least };
            for number in 0..count {
                let key = if number == 0 { "key".to_owned() } else { format!("key-{number}") };
                out.insert(key, self.value(values, TEXT, depth.saturating_sub(1)));
            }
        }
        out.into()
    }

    fn list(&mut self, schema: &JsonSchemaProps, name: &str, depth: usize) -> Value {
        let Some(items) = schemas::items(schema) else { return json!([]) };
        let least = size(schema.min_items);
        let wanted = if depth > 0 { least.max(1) } else { least };
        let count = schema.max_items.map_or(wanted, |_| wanted.min(size(schema.max_items)));
        // The name of an item is that of the list without the plural.
        let one = name.strip_suffix('s').unwrap_or(name);
        (0..count).map(|_| self.value(items, one, depth.saturating_sub(1))).collect()
    }

    fn integer(&mut self, schema: &JsonSchemaProps, name: &str) -> i64 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a float beyond int64 is clamped to it"
        )]
        let whole = |bound: f64| bound as i64;
        let least = schema.minimum.map_or(i64::MIN, |bound| whole(bound.ceil()));
        let least = least.saturating_add(i64::from(schema.exclusive_minimum));
        let most = schema.maximum.map_or(i64::MAX, |bound| whole(bound.floor()));
        let most = most.saturating_sub(i64::from(schema.exclusive_maximum));
        let lower = name.to_lowercase();
        let named = NUMBERS.iter().find(|(word, _)| lower.contains(word));
        let mut number = named.map_or(1, |(_, number)| *number);
        if self.is_varied()
            && let Some(known) =
                self.random.choose(self.literals.map_or(&[][..], |it| it.integers.as_slice()))
        {
            number = *known;
        }
        let number = number.max(least).min(most);
        match schema.multiple_of.map(whole) {
            Some(step) if step > 1 => (number / step).max(1).saturating_mul(step),
            _ => number,
        }
    }

    fn number(&mut self, schema: &JsonSchemaProps, name: &str) -> Value {
        match (schema.minimum, schema.maximum) {
            // There may be no whole number in between.
            (Some(least), Some(most)) if most - least < 1.0 => f64::midpoint(least, most).into(),
            _ => self.integer(schema, name).into(),
        }
    }

    fn text(&mut self, schema: &JsonSchemaProps, name: &str) -> String {
        if let Some((_, known)) = BY_FORMAT.iter().find(|(format, _)| *format == schema.format) {
            return (*known).to_owned();
        }
        let lower = name.to_lowercase();
        let mut named = BY_NAME.iter().find(|(word, _)| lower.contains(word)).map(|it| it.1);
        if self.is_varied() {
            let known = self.random.choose(self.literals.map_or(&[][..], |it| it.texts.as_slice()));
            named = known.map(String::as_str).or(named);
        }
        let most = schema.max_length.map_or(MOST, |_| size(schema.max_length));
        if schema.pattern.is_empty() {
            let text = named.unwrap_or(TEXT);
            let missing = size(schema.min_length).saturating_sub(text.chars().count());
            return text.chars().chain(std::iter::repeat_n('x', missing)).take(most).collect();
        }
        let Ok(pattern) = Regex::new(&schema.pattern) else { return TEXT.to_owned() };
        let fits = |text: &str| {
            let length = text.chars().count();
            (size(schema.min_length)..=most).contains(&length) && pattern.is_match(text)
        };
        let known = named.into_iter().chain(BY_PATTERN).find(|text| fits(text));
        if let Some(known) = known {
            return known.to_owned();
        }
        let mut last = TEXT.to_owned();
        for _ in 0..TRIES {
            let random = &mut *self.random;
            let found = re2::example(&schema.pattern, &mut |count| random.below(count));
            last = found.unwrap_or(last);
            if fits(&last) {
                break;
            }
        }
        last
    }
}

/// Returns a bound as a size.
fn size(bound: Option<i64>) -> usize {
    let bound = bound.and_then(|bound| usize::try_from(bound).ok());
    bound.unwrap_or_default().min(MOST)
}
