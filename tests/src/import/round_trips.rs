//! Sends generated objects through imported types. An object that the server stores is read and written again, and comes
//! out equal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::rc::Rc;

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, json as crd_json};
use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Subject;
use crate::differential::{generated_object, root_schema};
use crate::zoo::{ask, is_beyond_rust};

/// How many objects are sent at once.
const CHUNK: usize = 5_000;

/// What became of the objects.
#[derive(Debug, Default)]
pub struct Changes {
    /// Objects that came out equal.
    pub equal: u64,
    /// Objects that the server rejects; nobody stores them.
    pub rejected: u64,
    /// Objects with a value that the server stores and no Rust type of its field reads, such as 3.0000000001 in an
    /// integer.
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

/// Where an object comes from.
struct Sent {
    file: String,
    schema: Rc<Value>,
}

/// Generates `count` objects for each version that has a type, by its definition's index and its name, and sends those
/// that the server stores through the types. Returns the number of versions.
pub(super) fn check(
    subjects: &[&Subject],
    count: u64,
    program: &Path,
    has_type: impl Fn(usize, &str) -> bool,
) -> io::Result<(usize, Changes)> {
    let mut changes = Changes::default();
    let mut versions = 0;
    let mut sent: Vec<Sent> = Vec::new();
    let mut requests = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        for single in single_versions(&subject.definition) {
            let version = single["spec"]["versions"][0]["name"].as_str().unwrap_or_default();
            if !has_type(index, version) {
                continue;
            }
            versions += 1;
            let crd: CustomResourceDefinition = serde_json::from_value(single.clone())?;
            let schema = CompiledSchema::for_version(&crd, version).map_err(io::Error::other)?;
            let root = Rc::new(root_schema(&single).clone());
            for number in 0..count {
                let object = generated_object(number, &single);
                let is_beyond = is_beyond_rust(&root, &object);
                let Ok(admitted) = admit::create(&schema, object) else {
                    changes.rejected += 1;
                    continue;
                };
                if is_beyond {
                    changes.beyond += 1;
                    continue;
                }
                let stored = crd_json::stored(admitted.object);
                requests.push(json!([index, version, stored]));
                sent.push(Sent { file: subject.file.clone(), schema: Rc::clone(&root) });
                if requests.len() >= CHUNK {
                    compare(program, &requests, &sent, &mut changes)?;
                    requests.clear();
                    sent.clear();
                }
            }
        }
    }
    compare(program, &requests, &sent, &mut changes)?;
    Ok((versions, changes))
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

fn compare(
    program: &Path,
    requests: &[Value],
    sent: &[Sent],
    changes: &mut Changes,
) -> io::Result<()> {
    let answers = ask(program, &["objects"], requests)?;
    for ((request, Sent { file, schema }), answer) in requests.iter().zip(sent).zip(answers) {
        let stored = &request[2];
        if let Some(error) = answer["error"].as_str() {
            changes.note(format!("not read: {}", masked(error)), || {
                format!("{file}: {error}: {stored}")
            });
            continue;
        }
        match difference(schema, stored, &answer["value"], "") {
            None => changes.equal += 1,
            Some(Difference { what, path }) => {
                changes.note(what, || format!("{file}: {path}: {stored}"));
            }
        }
    }
    Ok(())
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
            let below = |name: &str| {
                let property = &schema["properties"][name];
                if property.is_null() { &schema["additionalProperties"] } else { property }
            };
            for (name, value) in stored {
                let (schema, path) = (below(name), format!("{path}.{name}"));
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
