//! Sends generated objects through imported types. An object that the server stores is read and written again, and comes
//! out equal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crd_runtime::admit::{self, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::json as crd_json;
use crd_runtime::model::CustomResourceDefinition;
use fastrand::Rng;
use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::Subject;
use crate::cores::on_all_cores;
use crate::differential::{generated_object, generated_value, root_schema};
use crate::zoo::{ask, is_beyond_rust};

/// How many objects are sent at once.
const CHUNK: usize = 1_000;
/// How often the invalid values of an object are replaced.
const REPLACEMENTS: u32 = 3;
/// How often those of an object are removed that still are invalid. One that is required takes what should have it with
/// it.
const REMOVALS: u32 = 4;

/// What became of the objects.
#[derive(Debug, Default)]
pub struct Changes {
    /// Objects that came out equal.
    pub equal: u64,
    /// Objects that the server rejects, also without the values that are invalid.
    pub rejected: u64,
    /// Objects that do not come out equal, with a value that the server stores and no Rust type of its field reads, such
    /// as 3.0000000001 in an integer.
    pub beyond: u64,
    /// Other objects that do not come out equal: how many, and one of them, by what is wrong.
    pub changed: BTreeMap<String, (u64, String)>,
}

impl Changes {
    pub(super) fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.rejected += other.rejected;
        self.beyond += other.beyond;
        for (what, (count, example)) in other.changed {
            self.changed.entry(what).or_insert((0, example)).0 += count;
        }
    }

    fn note(&mut self, what: String, example: impl FnOnce() -> String) {
        self.changed.entry(what).or_insert_with(|| (0, example())).0 += 1;
    }

    pub(super) fn render(&self, versions: usize, show: usize) -> String {
        let changed: u64 = self.changed.values().map(|(count, _)| count).sum();
        let mut text = format!(
            "objects of {versions} versions: {} come out equal, {changed} changed, {} that no Rust type reads, {} \
             rejected by the server\n",
            self.equal, self.beyond, self.rejected
        );
        let mut kinds: Vec<_> = self.changed.iter().collect();
        kinds.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (what, (count, example)) in kinds.into_iter().take(show) {
            let _ = writeln!(text, "  {count} {what}\n    {example}");
        }
        text
    }
}

/// A version that has a type.
struct Version<'a> {
    file: &'a str,
    /// The index of the definition, and the name of the version.
    key: (usize, String),
    /// The definition with only this version.
    definition: Value,
}

/// Generates `count` objects for each version that has a type, by its definition's index and its name, and sends those
/// that the server stores through the types. Returns the number of versions.
pub(super) fn check(
    subjects: &[&Subject],
    count: u64,
    program: &Path,
    has_type: impl Fn(usize, &str) -> bool,
) -> io::Result<(usize, Changes)> {
    let versions = subjects.iter().enumerate().flat_map(|(index, subject)| {
        single_versions(&subject.definition).into_iter().map(move |definition| {
            let name = definition["spec"]["versions"][0]["name"].as_str().unwrap_or_default();
            let key = (index, name.to_owned());
            Version { file: &subject.file, key, definition }
        })
    });
    let versions: Vec<_> = versions.filter(|it| has_type(it.key.0, &it.key.1)).collect();
    let mut changes = Changes::default();
    for changed in on_all_cores(&versions, |_, version| version.check(count, program)) {
        changes.add(changed?);
    }
    Ok((versions.len(), changes))
}

impl Version<'_> {
    fn check(&self, count: u64, program: &Path) -> io::Result<Changes> {
        let mut changes = Changes::default();
        let crd: CustomResourceDefinition = serde_json::from_value(self.definition.clone())?;
        let schema = CompiledSchema::for_version(&crd, &self.key.1).map_err(io::Error::other)?;
        let root = root_schema(&self.definition);
        let mut requests = Vec::new();
        for number in 0..count {
            let object = generated_object(number, &self.definition);
            let Some(stored) = repaired(&schema, root, number, object) else {
                changes.rejected += 1;
                continue;
            };
            requests.push(json!([self.key.0, self.key.1, stored]));
            if requests.len() >= CHUNK {
                self.compare(program, &requests, &mut changes)?;
                requests.clear();
            }
        }
        self.compare(program, &requests, &mut changes)?;
        Ok(changes)
    }

    fn compare(&self, program: &Path, requests: &[Value], changes: &mut Changes) -> io::Result<()> {
        let (file, root) = (self.file, root_schema(&self.definition));
        for (request, answer) in requests.iter().zip(ask(program, &["objects"], requests)?) {
            let stored = &request[2];
            let found = match answer["error"].as_str() {
                Some(error) => Some((format!("not read: {}", masked(error)), error.to_owned())),
                None => difference(root, stored, &answer["value"], "").map(|it| (it.what, it.path)),
            };
            match found {
                None => changes.equal += 1,
                Some(_) if is_beyond_rust(root, stored) || has_long_int_or_string(root, stored) => {
                    changes.beyond += 1;
                }
                Some((what, at)) => changes.note(what, || format!("{file}: {at}: {stored}")),
            }
        }
        Ok(())
    }
}

/// Returns what the server stores of an object. In one that is invalid, new values replace those that are, and what still
/// is invalid is left out, unless that would be the whole `spec`.
fn repaired(schema: &CompiledSchema, root: &Value, number: u64, object: Value) -> Option<Value> {
    let (has_spec, mut object) = (object.get("spec").is_some(), object);
    let mut rng = Rng::with_seed(number);
    for round in 0..REPLACEMENTS + REMOVALS {
        let mut invalid = match admit::create(schema, object) {
            Ok(admitted) => return Some(crd_json::stored(admitted.object)),
            Err(Rejection::Invalid(invalid)) => invalid,
            Err(_) => return None,
        };
        let mut rng = (round < REPLACEMENTS).then_some(&mut rng);
        let mut is_changed = false;
        // From the last one, because the elements of a list behind a removed one have other indices then.
        for error in invalid.errors.iter().rev() {
            is_changed |= repair(root, &mut invalid.object, &error.field, &mut rng);
        }
        object = invalid.object;
        if !is_changed || object.get("spec").is_some() != has_spec {
            return None;
        }
    }
    None
}

/// Replaces the value at a path of an error, such as `spec.ports[0].name` or `spec.labels[a.b]`, or removes it if no
/// values are to be generated. If there is none, what should have it is removed.
fn repair(schema: &Value, value: &mut Value, path: &str, rng: &mut Option<&mut Rng>) -> bool {
    fn rest<'a>(path: &'a str, name: &str) -> Option<&'a str> {
        let bracketed = path.strip_prefix('[').and_then(|it| it.strip_prefix(name));
        let rest = match bracketed.and_then(|it| it.strip_prefix(']')) {
            Some(rest) => rest,
            None => path.strip_prefix('.').unwrap_or(path).strip_prefix(name)?,
        };
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
    }
    match value {
        Value::Object(fields) => {
            let properties = schema["properties"].as_object().into_iter().flat_map(Map::keys);
            let found = fields.keys().chain(properties).find_map(|name| {
                let rest = rest(path, name)?;
                Some((name.clone(), rest))
            });
            let Some((name, rest)) = found else { return false };
            let schema = below(schema, &name);
            let value = fields.get_mut(&name).filter(|_| !rest.is_empty());
            if value.is_some_and(|value| repair(schema, value, rest, rng)) {
                return true;
            }
            match rng {
                Some(rng) if rest.is_empty() && schema.is_object() => {
                    fields.insert(name, generated_value(rng, schema));
                    true
                }
                _ => fields.remove(&name).is_some(),
            }
        }
        Value::Array(items) => {
            let mut indices = 0..items.len();
            let found = indices.find_map(|at| Some((at, rest(path, &at.to_string())?)));
            let Some((at, rest)) = found else { return false };
            let schema = &schema["items"];
            if !rest.is_empty() && repair(schema, &mut items[at], rest, rng) {
                return true;
            }
            match rng {
                Some(rng) if rest.is_empty() => items[at] = generated_value(rng, schema),
                _ => drop(items.remove(at)),
            }
            true
        }
        _ => false,
    }
}

/// Returns a definition for each version, with only that version. It has no subresources, so that a new object keeps its
/// status.
fn single_versions(definition: &Value) -> Vec<Value> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
    let singles = versions.map(|version| {
        let mut version = version.clone();
        version["served"] = true.into();
        version["storage"] = true.into();
        if let Value::Object(version) = &mut version {
            version.remove("subresources");
        }
        let mut single = definition.clone();
        single["spec"]["versions"] = json!([version]);
        single
    });
    singles.collect()
}

/// Returns the schema of a field or of a map's values.
fn below<'a>(schema: &'a Value, name: &str) -> &'a Value {
    let property = &schema["properties"][name];
    if property.is_null() { &schema["additionalProperties"] } else { property }
}

/// Whether a value has an integer of more than 32 bits where a string is allowed too. Neither Go's `IntOrString` nor that
/// of k8s-openapi reads it.
fn has_long_int_or_string(schema: &Value, value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let is_short = number.as_i64().is_some_and(|number| i32::try_from(number).is_ok());
            schema["x-kubernetes-int-or-string"] == true && !is_short
        }
        Value::Array(items) => items.iter().any(|it| has_long_int_or_string(&schema["items"], it)),
        Value::Object(fields) => {
            fields.iter().any(|(name, it)| has_long_int_or_string(below(schema, name), it))
        }
        _ => false,
    }
}

/// Returns an error without the values in it.
fn masked(error: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    for c in error.chars() {
        match c {
            '"' | '`' => {
                quoted = !quoted;
                out.push(c);
            }
            _ if quoted => {}
            c if c.is_ascii_digit() => {
                if !out.ends_with('0') {
                    out.push('0');
                }
            }
            c => out.push(c),
        }
    }
    out
}

struct Difference {
    what: String,
    path: String,
}

/// Returns the first difference between what is stored and what a type writes. These are none:
///
/// - `null` in an optional field, which the type leaves out, where absence means the same: the field has no default;
/// - other texts for one time, to the second as Go writes it, or for the same bytes;
/// - an integer for which a `Quantity` has the text.
fn difference(schema: &Value, stored: &Value, written: &Value, path: &str) -> Option<Difference> {
    let found = |what: &str| Some(Difference { what: what.to_owned(), path: path.to_owned() });
    match (stored, written) {
        (Value::Object(stored), Value::Object(written)) => {
            for (name, value) in stored {
                let (schema, path) = (below(schema, name), format!("{path}.{name}"));
                match written.get(name) {
                    Some(written) => {
                        if let Some(difference) = difference(schema, value, written, &path) {
                            return Some(difference);
                        }
                    }
                    None if value.is_null() && schema["default"].is_null() => {}
                    None => {
                        let what =
                            if value.is_null() { "`null` is lost" } else { "a field is lost" };
                        return Some(Difference { what: what.to_owned(), path });
                    }
                }
            }
            let added = written.keys().find(|name| !stored.contains_key(*name));
            added.map(|name| Difference {
                what: "a field is added".to_owned(),
                path: format!("{path}.{name}"),
            })
        }
        (Value::Array(stored), Value::Array(written)) if stored.len() == written.len() => {
            stored.iter().zip(written).enumerate().find_map(|(index, (stored, written))| {
                difference(&schema["items"], stored, written, &format!("{path}[{index}]"))
            })
        }
        (stored, written) if crd_json::stored(written.clone()) == *stored => None,
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (Value::Number(number), Value::String(text))
            if schema["x-kubernetes-int-or-string"] == true && number.to_string() == *text =>
        {
            None
        }
        (Value::String(_), Value::String(_)) => match schema["format"].as_str() {
            Some("date-time") if same(stored, written, |Time(time)| time.as_second()) => None,
            Some("byte") if same(stored, written, |ByteString(bytes)| bytes) => None,
            _ => found("a text changes"),
        },
        (Value::Number(a), Value::Number(b)) if schema["format"] == "float" => {
            #[expect(clippy::cast_possible_truncation, reason = "what a float of 32 bits keeps")]
            let short = |number: &serde_json::Number| number.as_f64().map(|float| float as f32);
            if short(a) == short(b) { None } else { found("a number changes") }
        }
        _ => found("a value changes"),
    }
}

/// Returns whether a part of two values is equal.
fn same<T: DeserializeOwned, P: PartialEq>(a: &Value, b: &Value, part: fn(T) -> P) -> bool {
    let read = |value: &Value| serde_json::from_value::<T>(value.clone()).ok().map(part);
    read(a).is_some_and(|a| Some(a) == read(b))
}
