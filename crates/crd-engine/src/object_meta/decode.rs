//! Decodes metadata as Go does, with the same errors and the same resulting object.
//!
//! The server decodes metadata into `metav1.ObjectMeta` and encodes it again. That drops unknown keys and
//! empty values, writes times in UTC, and rejects values of the wrong type.
//!
//! Source: `GetObjectMetaWithOptions` and `SetObjectMeta` in
//! `pkg/apiserver/schema/objectmeta/coerce.go`, `sigs.k8s.io/json`, and
//! `k8s.io/apimachinery/pkg/apis/meta/v1/types.go`.

use std::fmt::Write as _;
use std::mem;

use crd_cel::gofmt;
use serde_json::{Map, Value};

use super::time::Time;
use crate::field::Sink;
use crate::json::{self, Num};

/// How many unknown fields of one metadata object are reported. Source: `saveStrictError` in
/// `sigs.k8s.io/json`.
const MAX_UNKNOWN_FIELDS: usize = 100;

/// The JSON form of a Go struct.
struct Struct {
    /// Its name in a field error.
    name: &'static str,
    /// Its type in an error.
    type_: &'static str,
    fields: &'static [GoField],
}

struct GoField {
    name: &'static str,
    type_: GoType,
}

enum GoType {
    /// A string of this Go type, left out where empty.
    Text(&'static str),
    /// A string of this Go type, written even where empty.
    RequiredText(&'static str),
    /// An int64, left out where zero.
    Int,
    /// A pointer to an int64.
    IntPointer,
    /// A pointer to a bool.
    BoolPointer,
    /// A time, left out where zero.
    Time,
    /// A pointer to a time; a zero time is written as `null`.
    TimePointer,
    /// `map[string]string`
    TextMap,
    /// `[]string`
    Texts,
    /// A list of structs.
    List(&'static Struct),
    /// Any JSON.
    Raw,
}

const fn field(name: &'static str, type_: GoType) -> GoField {
    GoField { name, type_ }
}

static OBJECT_META: Struct = Struct {
    name: "ObjectMeta",
    type_: "v1.ObjectMeta",
    // PERF: the fields that most objects have come first.
    fields: &[
        field("name", GoType::Text("string")),
        field("namespace", GoType::Text("string")),
        field("uid", GoType::Text("types.UID")),
        field("resourceVersion", GoType::Text("string")),
        field("generation", GoType::Int),
        field("creationTimestamp", GoType::Time),
        field("labels", GoType::TextMap),
        field("annotations", GoType::TextMap),
        field("managedFields", GoType::List(&MANAGED_FIELDS_ENTRY)),
        field("ownerReferences", GoType::List(&OWNER_REFERENCE)),
        field("finalizers", GoType::Texts),
        field("deletionGracePeriodSeconds", GoType::IntPointer),
        field("deletionTimestamp", GoType::TimePointer),
        field("generateName", GoType::Text("string")),
        field("selfLink", GoType::Text("string")),
    ],
};

static OWNER_REFERENCE: Struct = Struct {
    name: "OwnerReference",
    type_: "v1.OwnerReference",
    fields: &[
        field("apiVersion", GoType::RequiredText("string")),
        field("blockOwnerDeletion", GoType::BoolPointer),
        field("controller", GoType::BoolPointer),
        field("kind", GoType::RequiredText("string")),
        field("name", GoType::RequiredText("string")),
        field("uid", GoType::RequiredText("types.UID")),
    ],
};

static MANAGED_FIELDS_ENTRY: Struct = Struct {
    name: "ManagedFieldsEntry",
    type_: "v1.ManagedFieldsEntry",
    fields: &[
        field("apiVersion", GoType::Text("string")),
        field("fieldsType", GoType::Text("string")),
        field("fieldsV1", GoType::Raw),
        field("manager", GoType::Text("string")),
        field("operation", GoType::Text("v1.ManagedFieldsOperationType")),
        field("subresource", GoType::Text("string")),
        field("time", GoType::TimePointer),
    ],
};

impl Struct {
    fn field(&self, name: &str) -> Option<&'static GoField> {
        // PERF: most names differ in length, so a scan compares few bytes.
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Rejects metadata that does not decode; changes other metadata to what the server would write back.
///
/// Unknown keys are dropped. Their paths, below `prefix`, are added to `found` in the server's order.
///
/// # Errors
/// The text of Go's decoder.
pub fn normalize(
    metadata: &mut Value,
    prefix: impl Fn() -> String,
    found: Option<&mut Sink>,
) -> Result<(), String> {
    if is_normal(metadata) {
        return Ok(());
    }
    check(metadata)?;
    rewrite(metadata, prefix, found);
    Ok(())
}

/// Whether metadata certainly needs no change; `false` if it may.
///
/// PERF: most metadata holds only strings and maps of strings, none of them empty.
fn is_normal(metadata: &mut Value) -> bool {
    let Value::Object(map) = metadata else { return false };
    map.sort_keys();
    map.iter().all(|(key, value)| match (value, key.as_str()) {
        (
            Value::String(text),
            "name" | "namespace" | "uid" | "resourceVersion" | "generateName",
        ) => !text.is_empty(),
        (Value::Object(map), "labels" | "annotations") => {
            !map.is_empty() && map.values().all(Value::is_string)
        }
        (Value::Array(items), "finalizers") => {
            !items.is_empty() && items.iter().all(Value::is_string)
        }
        _ => false,
    })
}

/// As [`normalize`], but drops the fields that do not decode.
///
/// # Errors
/// If metadata is not an object.
pub fn drop_malformed(metadata: &mut Value) -> Result<(), String> {
    if check(metadata).is_err() {
        let Value::Object(map) = metadata else {
            let type_ = json::go_type(metadata);
            return Err(format!("invalid metadata: expected object, got {type_}"));
        };
        map.retain(|key, value| {
            let Some(field) = OBJECT_META.field(key) else { return false };
            let mut checker = Checker::default();
            checker.field(&OBJECT_META, None, field, value).is_ok() && checker.saved.is_none()
        });
    }
    rewrite(metadata, String::new, None);
    Ok(())
}

/// Checks that metadata decodes, without changing it.
///
/// # Errors
/// The text of Go's decoder.
pub fn check(metadata: &Value) -> Result<(), String> {
    check_at(metadata, "", "value")
}

/// As [`check`], for an object of a built-in kind. The server decodes it as a whole, so that the paths in errors begin
/// with `metadata`.
///
/// # Errors
/// If a field has the wrong type, in the words of the server.
pub fn check_typed(metadata: &Value, kind: &str) -> Result<(), String> {
    check_at(metadata, "metadata.", &format!("struct field {kind}.metadata"))
}

fn check_at(metadata: &Value, prefix: &'static str, target: &str) -> Result<(), String> {
    match metadata {
        Value::Null => Ok(()),
        Value::Object(map) => {
            let mut checker = Checker { saved: None, prefix };
            checker.object(&OBJECT_META, None, map)?;
            checker.saved.map_or(Ok(()), Err)
        }
        other => Err(format!(
            "json: cannot unmarshal {} into Go {target} of type {}",
            json_kind(other),
            OBJECT_META.type_
        )),
    }
}

/// Go keeps the first error of a wrong type and decodes the rest; only an invalid time ends decoding at once.
#[derive(Default)]
struct Checker {
    saved: Option<String>,
    /// The prefix of the paths of fields; empty if metadata is decoded alone.
    prefix: &'static str,
}

/// What an error says of a field: its struct, the field of the metadata that lists such structs, and its name.
#[derive(Clone, Copy)]
struct FieldPosition<'a> {
    of: &'a Struct,
    prefix: &'static str,
    list: Option<&'static str>,
    name: &'static str,
}

impl Checker {
    fn object(
        &mut self,
        of: &Struct,
        list: Option<&'static str>,
        map: &Map<String, Value>,
    ) -> Result<(), String> {
        for (key, value) in map {
            if let Some(field) = of.field(key) {
                self.field(of, list, field, value)?;
            }
        }
        Ok(())
    }

    fn field(
        &mut self,
        of: &Struct,
        list: Option<&'static str>,
        field: &GoField,
        value: &Value,
    ) -> Result<(), String> {
        let at = FieldPosition { of, prefix: self.prefix, list, name: field.name };
        match (&field.type_, value) {
            (_, Value::Null)
            | (GoType::Raw, _)
            | (GoType::Text(_) | GoType::RequiredText(_), Value::String(_))
            | (GoType::BoolPointer, Value::Bool(_)) => {}
            (GoType::Text(type_) | GoType::RequiredText(type_), _) => {
                self.save(at, json_kind(value), type_);
            }
            (GoType::BoolPointer, _) => self.save(at, json_kind(value), "bool"),
            (GoType::Int | GoType::IntPointer, Value::Number(_)) => {
                if let Err(text) = to_int(value) {
                    self.save(at, &format!("number {text}"), "int64");
                }
            }
            (GoType::Int | GoType::IntPointer, _) => self.save(at, json_kind(value), "int64"),
            (GoType::Time | GoType::TimePointer, Value::String(text)) => {
                Time::parse(text)?;
            }
            (GoType::Time | GoType::TimePointer, _) => {
                return Err(at.mismatch(json_kind(value), "string"));
            }
            (GoType::TextMap, Value::Object(map)) => {
                for value in map.values() {
                    self.element(at, value);
                }
            }
            (GoType::TextMap, _) => self.save(at, json_kind(value), "map[string]string"),
            (GoType::Texts, Value::Array(items)) => {
                for item in items {
                    self.element(at, item);
                }
            }
            (GoType::Texts, _) => self.save(at, json_kind(value), "[]string"),
            (GoType::List(item_of), Value::Array(items)) => {
                for item in items {
                    match item {
                        Value::Null => {}
                        Value::Object(map) => self.object(item_of, Some(field.name), map)?,
                        other => self.save(at, json_kind(other), item_of.type_),
                    }
                }
            }
            (GoType::List(item_of), _) => {
                self.save(at, json_kind(value), &format!("[]{}", item_of.type_));
            }
        }
        Ok(())
    }

    fn element(&mut self, at: FieldPosition<'_>, value: &Value) {
        if !matches!(value, Value::Null | Value::String(_)) {
            self.save(at, json_kind(value), "string");
        }
    }

    fn save(&mut self, at: FieldPosition<'_>, value: &str, type_: &str) {
        if self.saved.is_none() {
            self.saved = Some(at.mismatch(value, type_));
        }
    }
}

impl FieldPosition<'_> {
    fn mismatch(&self, value: &str, type_: &str) -> String {
        let Self { of, prefix, list, name } = self;
        let (list, dot) = list.map_or(("", ""), |list| (list, "."));
        format!(
            "json: cannot unmarshal {value} into Go struct field {}.{prefix}{list}{dot}{name} of type {type_}",
            of.name
        )
    }
}

/// What Go's decoder calls a JSON value.
pub fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// An int64, read from the text Go would write for the number: `1.0` is written `1`.
fn to_int(value: &Value) -> Result<i64, String> {
    let Value::Number(number) = value else { return Err(String::new()) };
    match Num::of(number) {
        Num::Int(int) => Ok(int),
        Num::Float(float) => {
            let text = gofmt::float_json(float);
            text.parse().map_err(|_| text)
        }
    }
}

/// Changes metadata that decodes to what the server would write back.
fn rewrite(metadata: &mut Value, prefix: impl Fn() -> String, found: Option<&mut Sink>) {
    if metadata.is_null() {
        *metadata = Value::Object(Map::new());
    }
    let Value::Object(map) = metadata else { return };
    map.sort_keys();
    Rewriter { prefix, found, reported: 0 }.object(&OBJECT_META, map, None);
}

struct Rewriter<'f, P> {
    /// The prefix of the paths of unknown fields.
    prefix: P,
    found: Option<&'f mut Sink>,
    /// How many unknown fields were reported.
    reported: usize,
}

impl<P: Fn() -> String> Rewriter<'_, P> {
    fn object(&mut self, of: &Struct, map: &mut Map<String, Value>, at: Option<(&str, usize)>) {
        let mut dropped = Vec::new();
        for (key, value) in map.iter_mut() {
            match of.field(key) {
                Some(field) if self.keep(field, value) => continue,
                Some(_) => {}
                None => self.report(key, at),
            }
            dropped.push(key.clone());
        }
        for key in &dropped {
            map.remove(key);
        }
        for field in of.fields {
            if matches!(field.type_, GoType::RequiredText(_)) && !map.contains_key(field.name) {
                map.insert(field.name.to_owned(), "".into());
            }
        }
    }

    /// Reports an unknown field, up to [`MAX_UNKNOWN_FIELDS`].
    fn report(&mut self, key: &str, at: Option<(&str, usize)>) {
        let Some(found) = &mut self.found else { return };
        if self.reported == MAX_UNKNOWN_FIELDS {
            return;
        }
        self.reported += 1;
        found.unknown_field(|| {
            let mut path = (self.prefix)();
            path.push('.');
            if let Some((list, index)) = at {
                let _ = write!(path, "{list}[{index}].");
            }
            path + key
        });
    }

    /// Whether the field is written, after its value has been rewritten.
    fn keep(&mut self, field: &GoField, value: &mut Value) -> bool {
        match &field.type_ {
            GoType::Text(_) => value.as_str().is_some_and(|text| !text.is_empty()),
            GoType::RequiredText(_) => {
                if value.is_null() {
                    *value = "".into();
                }
                true
            }
            GoType::Int => {
                if let Ok(int) = to_int(value) {
                    *value = int.into();
                }
                !value.is_null() && value.as_i64() != Some(0)
            }
            GoType::IntPointer => {
                if let Ok(int) = to_int(value) {
                    *value = int.into();
                }
                !value.is_null()
            }
            GoType::Time | GoType::TimePointer => {
                let Some(time) = value.as_str().and_then(|text| Time::parse(text).ok()) else {
                    return false;
                };
                if time.is_zero() {
                    *value = Value::Null;
                    return matches!(field.type_, GoType::TimePointer);
                }
                let text = time.to_rfc3339();
                if value.as_str() != Some(&text) {
                    *value = text.into();
                }
                true
            }
            GoType::TextMap => match value {
                Value::Object(map) => {
                    for value in map.values_mut().filter(|value| value.is_null()) {
                        *value = "".into();
                    }
                    !map.is_empty()
                }
                _ => false,
            },
            GoType::Texts => match value {
                Value::Array(items) => {
                    for item in items.iter_mut().filter(|item| item.is_null()) {
                        *item = "".into();
                    }
                    !items.is_empty()
                }
                _ => false,
            },
            GoType::List(item_of) => match value {
                Value::Array(items) => {
                    for (index, item) in items.iter_mut().enumerate() {
                        if item.is_null() {
                            *item = Value::Object(Map::new());
                        }
                        if let Value::Object(map) = item {
                            map.sort_keys();
                            self.object(item_of, map, Some((field.name, index)));
                        }
                    }
                    !items.is_empty()
                }
                _ => false,
            },
            GoType::BoolPointer => !value.is_null(),
            GoType::Raw => {
                // Upstream: the value is kept as text and parsed again, so that `1.0` becomes `1`.
                *value = json::stored(mem::take(value));
                !value.is_null()
            }
        }
    }
}
