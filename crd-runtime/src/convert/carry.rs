//! What a version cannot hold travels in an annotation, so that the way back loses nothing.

use serde_json::{Map, Value};

use crate::json;

/// Converts one way or the other.
type Convert<'a> = &'a dyn Fn(Value) -> Result<Value, String>;

/// Completes a conversion between two versions.
///
/// What an earlier conversion carried for the version that is now the target is put back where the object
/// has not changed since. What the target cannot hold is written to an annotation for the way back.
pub(super) fn carry(
    group: &str,
    (from, to): (&str, &str),
    original: &Value,
    mut converted: Value,
    back: Convert<'_>,
    there: Convert<'_>,
) -> Result<Value, String> {
    let key = |version: &str| format!("conversion.{group}/{version}");
    if let Some(carried) = take(&mut converted, &key(to)) {
        let carried = json::decode(carried.as_bytes())
            .map_err(|error| format!("annotation `{}`: {error}", key(to)))?
            .value;
        // What of the carried object survives a round trip is what the other version showed.
        let survives = there(back(with_metadata(carried.clone(), &converted))?)?;
        for (field, was) in content(&carried) {
            let shown = survives.get(field);
            let now = converted.get(field).cloned();
            if let (Some(merged), Value::Object(map)) = (put_back(was, shown, now), &mut converted)
            {
                map.insert(field.clone(), merged);
            }
        }
    }
    let returned = back(converted.clone())?;
    let lost = content(original).any(|(field, value)| returned.get(field) != Some(value))
        || content(&returned).any(|(field, _)| original.get(field).is_none());
    if lost {
        let whole: Map<String, Value> =
            content(original).map(|(field, value)| (field.clone(), value.clone())).collect();
        let mut whole = Value::Object(whole);
        if let Value::Object(map) = &mut whole {
            for field in ["apiVersion", "kind"] {
                map.insert(field.to_owned(), original.get(field).cloned().unwrap_or_default());
            }
        }
        write(&mut converted, key(from), whole.to_string());
    }
    Ok(converted)
}

/// The parts of an object that a version is about.
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

/// Merges three ways: where the field still reads as it was shown, it is what it was.
fn put_back(was: &Value, shown: Option<&Value>, now: Option<Value>) -> Option<Value> {
    if now.as_ref() == shown {
        return Some(was.clone());
    }
    match (was, shown, now) {
        (Value::Object(was), Some(Value::Object(shown)), Some(Value::Object(mut now))) => {
            for (key, was) in was {
                let present = now.remove(key);
                if let Some(merged) = put_back(was, shown.get(key), present) {
                    now.insert(key.clone(), merged);
                }
            }
            Some(Value::Object(now))
        }
        (_, _, now) => now,
    }
}

fn take(object: &mut Value, key: &str) -> Option<String> {
    let metadata = object.get_mut("metadata")?.as_object_mut()?;
    let annotations = metadata.get_mut("annotations")?.as_object_mut()?;
    let value = annotations.remove(key)?.as_str().map(str::to_owned);
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
    value
}

fn write(object: &mut Value, key: String, value: String) {
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
