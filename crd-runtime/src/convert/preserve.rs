//! Preserves fields that the target version does not have. The original object is written to an annotation of the
//! converted object, and when the latter is converted back, the missing fields are restored from the annotation.
//!
//! Every user who can write the object can write the annotation, so its content is not trusted: it is used only if it
//! is an object that is valid by the version's schema and converts back, and dropped otherwise. Such content never
//! makes a conversion fail, because the API server fails a whole list if one of its objects cannot be converted.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value};

use crate::compiled::CompiledSchema;
use crate::field::{Path, Sink};
use crate::{json, list_type, value};

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
        let lost: Vec<&str> = content(original)
            .filter(|(field, value)| returned.get(field) != Some(value))
            .chain(content(&returned).filter(|(field, _)| original.get(field).is_none()))
            .map(|(field, _)| field.as_str())
            .collect();
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
        let mut whole: Map<String, Value> =
            content(original).map(|(field, value)| (field.clone(), value.clone())).collect();
        for field in ["apiVersion", "kind"] {
            whole.insert(field.to_owned(), original.get(field).cloned().unwrap_or_default());
        }
        write_annotation(
            &mut converted,
            self.annotation(self.from),
            Value::Object(whole).to_string(),
        );
        Ok(converted)
    }

    fn annotation(&self, version: &str) -> String {
        format!("conversion.{}/{version}", self.group)
    }

    /// Returns the converted object with the preserved fields of `text`, the annotation's value.
    ///
    /// Returns `None` without a schema of `to`, if `text` is not an object that is valid by that schema, if that object
    /// cannot be converted to `from` and back, or if the merged object is not valid.
    fn merge_back(&self, text: &str, converted: &Value) -> Option<Value> {
        let schema = self.to_schema?;
        let preserved = with_metadata(json::decode(text.as_bytes()).ok()?.value, converted);
        if !is_valid(schema, &preserved) {
            return None;
        }
        // The steps are user code, which may panic on an object that was never stored.
        let round_trip = || (self.forward)((self.backward)(preserved.clone())?);
        // The round trip removes the fields that the other version does not have.
        let shown = catch_unwind(AssertUnwindSafe(round_trip)).ok()?.ok()?;
        let mut merged = converted.clone();
        for (field, was) in content(&preserved) {
            let now = converted.get(field).cloned();
            if let (Some(value), Value::Object(map)) =
                (merge_field(was, shown.get(field), now), &mut merged)
            {
                map.insert(field.clone(), value);
            }
        }
        is_valid(schema, &merged).then_some(merged)
    }
}

/// Returns whether the object is valid by the schema and has no fields that would be pruned.
fn is_valid(schema: &CompiledSchema, object: &Value) -> bool {
    let mut pruned = object.clone();
    if !object.is_object() || !schema.prune(&mut pruned).is_empty() {
        return false;
    }
    let mut found = Sink::counting();
    value::validate(schema, schema.root, object, &Path::ROOT, None, &mut found);
    list_type::check(schema, object, &mut found);
    found.is_empty() && schema.evaluate_rules(object, None).errors.is_empty()
}

/// Iterates over the fields of an object except `apiVersion`, `kind` and `metadata`.
fn content(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !matches!(key.as_str(), "apiVersion" | "kind" | "metadata"))
}

fn with_metadata(mut object: Value, other: &Value) -> Value {
    if let (Value::Object(map), Some(metadata)) = (&mut object, other.get("metadata")) {
        map.insert("metadata".to_owned(), metadata.clone());
    }
    object
}

/// Merges the preserved value `was` and the converted value `now`.
///
/// `shown` is `was` after a conversion to the other version and back, so it lacks what the other version does not have.
/// If `now` equals `shown`, nobody has changed the value in the other version, and `was` is returned.
fn merge_field(was: &Value, shown: Option<&Value>, now: Option<Value>) -> Option<Value> {
    if now.as_ref() == shown {
        return Some(was.clone());
    }
    match (was, shown, now) {
        (Value::Object(was), Some(Value::Object(shown)), Some(Value::Object(mut now))) => {
            for (key, was) in was {
                let present = now.remove(key);
                if let Some(merged) = merge_field(was, shown.get(key), present) {
                    now.insert(key.clone(), merged);
                }
            }
            Some(Value::Object(now))
        }
        (_, _, now) => now,
    }
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

fn write_annotation(object: &mut Value, key: String, value: String) {
    let Value::Object(map) = object else { return };
    let metadata = map.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(metadata) = metadata else { return };
    let annotations = metadata.entry("annotations").or_insert_with(|| Value::Object(Map::new()));
    if !annotations.is_object() {
        *annotations = Value::Object(Map::new());
    }
    if let Value::Object(annotations) = annotations {
        annotations.insert(key, value.into());
    }
}
