//! Preserves fields that the target version does not have. The original object is written to an annotation of the
//! converted object, and when the latter is converted back, the missing fields are restored from the annotation.
//!
//! Every user who can write the object can write the annotation, so its content is not trusted: it is used only if it
//! is what a conversion writes, an object that is valid by the version's schema and converts back, and dropped
//! otherwise. Such content never makes a conversion fail, because the API server fails a whole list if one of its objects
//! cannot be converted.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value};

use super::merge::{Merge, content, same};
use crate::compiled::CompiledSchema;
use crate::field::{ErrorKind, Path, Sink};
use crate::object_meta::ANNOTATIONS_MAX_BYTES;
use crate::{json, list_type, prune, value};

/// A conversion in one direction.
type Convert<'a> = &'a dyn Fn(Value) -> Result<Value, String>;

/// A conversion between two versions.
pub(super) struct Pair<'a> {
    pub(super) group: &'a str,
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    /// The schema of `from`. Without it, a conversion that loses fields fails.
    pub(super) from_schema: Option<&'a CompiledSchema>,
    /// The schema of `to`. Without it, nothing is merged back.
    pub(super) to_schema: Option<&'a CompiledSchema>,
    /// Converts from `from` to `to`.
    pub(super) forward: Convert<'a>,
    /// Converts from `to` to `from`.
    pub(super) backward: Convert<'a>,
    /// Returns the top-level fields that differ between an object of `from` and one that has been converted back.
    pub(super) lost: &'a dyn Fn(&Value, &Value) -> Vec<String>,
}

impl Pair<'_> {
    /// Completes a conversion: merges the fields that an earlier conversion preserved for `to` into `converted`, and
    /// preserves `original` if the result does not convert back to it.
    ///
    /// # Errors
    /// If the conversion back to `from` fails, or fields of `original` would be lost because there is no schema of
    /// `from`.
    pub(super) fn complete(&self, original: &Value, mut converted: Value) -> Result<Value, String> {
        let text = take_annotation(&mut converted, &self.annotation(self.to));
        if let Some(merged) = text.and_then(|text| self.merge_back(&text, &converted))
            // The steps are user code, which may panic on an object that was never stored.
            && let Ok(Ok(completed)) = catch_unwind(AssertUnwindSafe(|| self.preserve(original, merged)))
        {
            return Ok(completed);
        }
        self.preserve(original, converted)
    }

    /// Preserves `original` in `converted` if `converted` does not convert back to the same fields.
    ///
    /// # Errors
    /// The errors of [`Pair::complete`].
    fn preserve(&self, original: &Value, mut converted: Value) -> Result<Value, String> {
        let returned = (self.backward)(converted.clone())?;
        let lost = (self.lost)(original, &returned);
        if lost.is_empty() {
            return Ok(converted);
        }
        if self.from_schema.is_none() {
            return Err(format!(
                "`{to}` cannot hold all of `{fields}`, and the converter has no schema of `{from}` to check \
                 what comes back: give it the kind's definition with `Converter::definition`, or drop what is \
                 lost with `Converter::without_annotation`",
                to = self.to,
                from = self.from,
                fields = lost.join("`, `"),
            ));
        }
        write_annotation(&mut converted, &self.annotation(self.from), preserved(original))?;
        Ok(converted)
    }

    fn annotation(&self, version: &str) -> String {
        format!("conversion.{}/{version}", self.group)
    }

    /// Returns the converted object with the preserved fields of `text`, the annotation's value.
    ///
    /// Returns `None` without a schema of `to`, if no conversion writes `text`, if its object is not valid by that schema
    /// or cannot be converted to `from` and back, or if the merged object is not valid.
    fn merge_back(&self, text: &str, converted: &Value) -> Option<Value> {
        let schema = self.to_schema?;
        let decoded = json::decode(text.as_bytes()).ok()?.value;
        let is_of = |key: &str| decoded.get(key) == converted.get(key);
        if preserved(&decoded) != text || !is_of("apiVersion") || !is_of("kind") {
            return None;
        }
        // An object of which the server has removed parts lacks required fields.
        let is_partial = is_partial(schema, converted);
        let preserved = with_metadata(decoded, converted);
        if !is_valid(schema, &preserved, is_partial, UnknownFields::Refused) {
            return None;
        }
        // The steps are user code, which may panic on an object that was never stored.
        let round_trip = || (self.forward)((self.backward)(preserved.clone())?);
        // The round trip removes the fields that the other version does not have.
        let shown = catch_unwind(AssertUnwindSafe(round_trip)).ok()?.ok()?;
        let mut merged = converted.clone();
        let merge = Merge { schema };
        for (field, was) in content(&preserved) {
            let Value::Object(map) = &mut merged else { return None };
            let now = map.remove(field);
            if let Some(value) = merge.field(field, was, shown.get(field), now) {
                map.insert(field.clone(), value);
            }
        }
        is_valid(schema, &merged, is_partial, UnknownFields::Pruned).then_some(merged)
    }
}

/// Returns the text that preserves an object: all of it except its metadata.
fn preserved(object: &Value) -> String {
    let mut whole: Map<String, Value> =
        content(object).map(|(field, value)| (field.clone(), value.clone())).collect();
    for field in ["apiVersion", "kind"] {
        whole.insert(field.to_owned(), object.get(field).cloned().unwrap_or_default());
    }
    let mut whole = Value::Object(whole);
    whole.sort_all_objects();
    whole.to_string()
}

/// Returns an object as the server stores it: without unknown fields, which are reported, and nulls, and with defaults.
pub(super) fn settled(
    schema: &CompiledSchema,
    object: &Value,
    unknown_fields: Option<&mut Sink>,
) -> Value {
    let mut object = object.clone();
    if object.is_object() {
        prune::prune_with_nulls(schema, &mut object, unknown_fields);
        schema.apply_defaults(&mut object);
    }
    object
}

/// Returns whether an object lacks fields that the schema requires.
fn is_partial(schema: &CompiledSchema, object: &Value) -> bool {
    let mut found = Sink::new();
    let object = settled(schema, object, None);
    value::validate(schema, schema.root, &object, &Path::ROOT, None, &mut found);
    found.into_errors().iter().any(|error| error.kind == ErrorKind::Required)
}

/// What becomes of the fields that a schema does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnknownFields {
    Pruned,
    Refused,
}

/// Returns whether the object is valid by the schema once it is stored. A partial object may lack required fields, and
/// its rules are not evaluated.
fn is_valid(
    schema: &CompiledSchema,
    object: &Value,
    is_partial: bool,
    unknown_fields: UnknownFields,
) -> bool {
    if !object.is_object() {
        return false;
    }
    let mut found = Sink::new();
    let object = &settled(schema, object, Some(&mut found));
    value::validate(schema, schema.root, object, &Path::ROOT, None, &mut found);
    list_type::check(schema, object, &mut found);
    let found = found.into_parts();
    if unknown_fields == UnknownFields::Refused && !found.unknown_fields.is_empty() {
        return false;
    }
    if is_partial {
        return found.errors.iter().all(|error| error.kind == ErrorKind::Required);
    }
    found.errors.is_empty() && schema.evaluate_rules(object, None).errors.is_empty()
}

/// Returns the top-level fields that differ.
pub(super) fn differing(a: &Value, b: &Value) -> Vec<String> {
    let changed =
        content(a).filter(|(field, value)| b.get(field).is_none_or(|other| !same(value, other)));
    let added = content(b).filter(|(field, _)| a.get(field).is_none());
    changed.chain(added).map(|(field, _)| field.clone()).collect()
}

/// Returns whether a value has every field and item of another.
pub(super) fn has_all_of(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (_, Value::Null) => true,
        (Value::Object(value), Value::Object(other)) => other.iter().all(|(key, other)| {
            other.is_null() || value.get(key).is_some_and(|value| has_all_of(value, other))
        }),
        (Value::Array(value), Value::Array(other)) => {
            value.len() == other.len() && value.iter().zip(other).all(|(a, b)| has_all_of(a, b))
        }
        (_, other) => !other.is_object() && !other.is_array(),
    }
}

fn with_metadata(mut object: Value, other: &Value) -> Value {
    if let (Value::Object(map), Some(metadata)) = (&mut object, other.get("metadata")) {
        map.insert("metadata".to_owned(), metadata.clone());
    }
    object
}

fn take_annotation(object: &mut Value, key: &str) -> Option<String> {
    let metadata = object.get_mut("metadata")?.as_object_mut()?;
    let annotations = metadata.get_mut("annotations")?.as_object_mut()?;
    let value = annotations.remove(key)?.as_str().map(str::to_owned);
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
    value
}

/// Writes an annotation.
///
/// # Errors
/// If the annotations would be larger than the server allows.
fn write_annotation(object: &mut Value, key: &str, value: String) -> Result<(), String> {
    let Value::Object(map) = object else { return Ok(()) };
    let metadata = map.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(metadata) = metadata else { return Ok(()) };
    let annotations = metadata.entry("annotations").or_insert_with(|| Value::Object(Map::new()));
    if !annotations.is_object() {
        *annotations = Value::Object(Map::new());
    }
    if let Value::Object(annotations) = annotations {
        annotations.insert(key.to_owned(), value.into());
        let size = |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
        let bytes: usize = annotations.iter().map(size).sum();
        if bytes > ANNOTATIONS_MAX_BYTES {
            return Err(format!(
                "the annotation `{key}`, which keeps what the version cannot hold, makes {bytes} bytes of annotations; \
                 the server allows {ANNOTATIONS_MAX_BYTES}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Converter;
    use super::*;
    use crate::model::CustomResourceDefinition;

    /// A kind whose `cmd` is called `command` in `v2`, which lacks `mode`. The steps leave what a careless author
    /// leaves behind: nulls, fields of the other version, and absent fields that have a default.
    fn careless() -> Converter {
        let rule = json!([{"rule": "self.mode != 'never'"}]);
        let crd = crd_fixtures::crd("g.example.com", "K")
            .spec(
                "v1",
                json!({"type": "object", "x-kubernetes-validations": rule, "properties": {
                    "cmd": {"type": "string"}, "hidden": {"type": "string"},
                    "mode": {"type": "string", "default": "once"},
                }}),
            )
            .spec("v2", json!({"type": "object", "properties": {"command": {"type": "string"}}}));
        let crd: CustomResourceDefinition = crd.read();
        let converter = Converter::new("g.example.com", "K")
            .step("v1", "v2", |mut object| {
                object["spec"]["command"] = object["spec"]["cmd"].take();
                Ok(object)
            })
            .step("v2", "v1", |mut object| {
                object["spec"]["cmd"] = object["spec"]["command"].take();
                if let Some(spec) = object["spec"].as_object_mut() {
                    spec.remove("mode");
                    spec.remove("hidden");
                }
                Ok(object)
            });
        converter.definition(&crd).expect("schemas")
    }

    fn k(version: &str, spec: &Value) -> Value {
        json!({"apiVersion": format!("g.example.com/{version}"), "kind": "K", "metadata": {"name": "x"}, "spec": spec})
    }

    #[test]
    fn what_the_server_prunes_is_not_lost() {
        let there =
            careless().convert(k("v1", &json!({"cmd": "a", "mode": "once"})), "g.example.com/v2");
        let there = there.expect("converts");
        assert!(there["metadata"].get("annotations").is_none(), "{there}");
    }

    #[test]
    fn what_the_server_prunes_and_sets_does_not_make_an_object_invalid() {
        let original = k("v1", &json!({"cmd": "a", "mode": "twice", "hidden": "h"}));
        let mut there = careless().convert(original, "g.example.com/v2").expect("converts");
        // As the server stores it.
        there["spec"] = json!({"command": "b"});
        let back = careless().convert(there, "g.example.com/v1").expect("converts");
        assert_eq!(
            (&back["spec"]["cmd"], &back["spec"]["mode"], &back["spec"]["hidden"]),
            (&json!("b"), &json!("twice"), &json!("h"))
        );
    }
}
