//! A definition read from JSON as Go reads it: nulls count as absent, unknown keys are reported, and a value of the
//! wrong type is rejected with the text of Go's decoder.
//!
//! Source: `sigs.k8s.io/json` (`decode.go`) and `pkg/apis/apiextensions/v1/marshal.go`.

mod published;
mod types;

pub use published::published_schema;

use std::fmt::{self, Write as _};

use crd_cel::kubernetes::KubernetesVersion;
use crd_cel::{base64, gofmt};
use serde::Deserialize as _;
use serde_json::{Map, Number, Value};

use crate::differences::Difference;
use crate::json::{self, Num};
use crate::model::CustomResourceDefinition;
use crate::object_meta;
use crate::schema::MAX_SCHEMA_DEPTH;
use types::{DEFINITION, GoType, SCHEMA, Struct};

/// A decoded definition.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decoded {
    /// The definition.
    pub crd: CustomResourceDefinition,
    /// The errors of strict field validation for keys that the API does not have:
    /// `unknown field "spec.versions[0].foo"`.
    pub unknown_fields: Vec<String>,
}

/// The error of a definition that cannot be decoded: the text of Go's decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError(String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

/// The largest number of unknown fields that are reported. Source: `saveStrictError` in `sigs.k8s.io/json`.
const MAX_UNKNOWN_FIELDS: usize = 100;

/// Reads a definition from JSON.
///
/// # Examples
///
/// ```
/// use crd_runtime::definition;
/// use serde_json::json;
///
/// let decoded = definition::decode(&json!({
///     "metadata": {"name": "shirts.example.com"},
///     "spec": {"group": "example.com", "names": {"plural": "shirts", "kind": "Shirt"}, "scop": "Namespaced"},
/// }))?;
/// assert_eq!(decoded.crd.spec.group, "example.com");
/// assert_eq!(decoded.unknown_fields, ["unknown field \"spec.scop\""]);
///
/// let error = definition::decode(&json!({"spec": {"group": 1}})).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.group of type string",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text of Go's decoder, or that JSON is nested deeper than [`json::MAX_DEPTH`] or schemas are nested deeper than
/// [`MAX_SCHEMA_DEPTH`].
pub fn decode(value: &Value) -> Result<Decoded, DecodeError> {
    decode_on(value, KubernetesVersion::REFERENCE)
}

/// Does what [`decode`] does, with the errors of a version of Kubernetes.
///
/// # Errors
/// Returns the errors of [`decode`].
pub fn decode_on(value: &Value, kubernetes: KubernetesVersion) -> Result<Decoded, DecodeError> {
    let Value::Object(map) = value else {
        let kind = object_meta::json_kind(value);
        let text = "into Go value of type v1.CustomResourceDefinition";
        return Err(DecodeError(format!("json: cannot unmarshal {kind} {text}")));
    };
    if json::is_too_deep(value) {
        return Err(DecodeError(json::too_deep()));
    }
    let mut decoder = Decoder::of(0, Difference::PathsBelowSchemas.is_in(kubernetes));
    let decoded =
        decoder.object(&DEFINITION, map).map_err(|error| DecodeError(error.to_string()))?;
    if let Some(error) = decoder.saved {
        return Err(DecodeError(error.to_string()));
    }
    let crd = match &decoded {
        Some(changed) => CustomResourceDefinition::deserialize(changed),
        None => CustomResourceDefinition::deserialize(value),
    };
    let crd = crd.map_err(|error| DecodeError(error.to_string()))?;
    Ok(Decoded { crd, unknown_fields: decoder.unknown })
}

/// The result of decoding a value.
///
/// PERF: only changed values and those that contain them are copied; in most definitions there are none.
#[derive(Debug)]
enum Decoding {
    /// The value is unchanged.
    Same,
    /// The value is replaced.
    Other(Value),
    /// The value is null, or of the wrong type.
    Absent,
}

impl From<Option<Value>> for Decoding {
    fn from(changed: Option<Value>) -> Self {
        changed.map_or(Self::Same, Self::Other)
    }
}

/// An error of Go's decoder.
#[derive(Debug, Clone)]
enum DecodeErrorKind {
    /// A value of the wrong JSON type.
    ///
    /// Source: `UnmarshalTypeError`.
    Type { value: String, type_: &'static str, of: &'static str, field: String },
    /// Any other error.
    Other(String),
}

impl fmt::Display for DecodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { value, type_, of, field } if of.is_empty() && field.is_empty() => {
                write!(f, "json: cannot unmarshal {value} into Go value of type {type_}")
            }
            Self::Type { value, type_, of, field } => write!(
                f,
                "json: cannot unmarshal {value} into Go struct field {of}.{field} of type {type_}"
            ),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Recursion follows the value, whose depth is at most [`json::MAX_DEPTH`]; schemas nest at most
/// [`MAX_SCHEMA_DEPTH`] deep.
#[derive(Debug, Default)]
struct Decoder {
    /// The first value of a wrong type. Decoding continues after it.
    saved: Option<DecodeErrorKind>,
    unknown: Vec<String>,
    /// The name of the struct whose field is read.
    of: &'static str,
    /// The path of the field, without keys and indexes.
    fields: Vec<&'static str>,
    /// The whole path of the field, as errors of unknown fields print it.
    path: String,
    /// The number of schemas that contain the field.
    schemas: usize,
    /// Whether errors in a value that is decoded as a separate document contain the path in that document.
    keeps_inner_paths: bool,
}

impl Decoder {
    fn of(schemas: usize, keeps_inner_paths: bool) -> Self {
        Self { schemas, keeps_inner_paths, ..Self::default() }
    }

    /// Returns the decoded fields of a struct, or `None` if they are unchanged.
    fn object(
        &mut self,
        of: &'static Struct,
        map: &Map<String, Value>,
    ) -> Result<Option<Value>, DecodeErrorKind> {
        let is_schema = std::ptr::eq(of, &raw const SCHEMA);
        self.schemas += usize::from(is_schema);
        if self.schemas > MAX_SCHEMA_DEPTH {
            let text = format!("schemas are nested deeper than {MAX_SCHEMA_DEPTH} levels");
            return Err(DecodeErrorKind::Other(text));
        }
        let outer = std::mem::replace(&mut self.of, of.name);
        let mut out = Entries::of(map);
        for (key, value) in map {
            let depth = self.path.len();
            if depth > 0 {
                self.path.push('.');
            }
            self.path.push_str(key);
            let decoded = if let Some((name, type_)) = of.field(key) {
                self.fields.push(name);
                let decoded = self.value(type_, value)?;
                self.fields.pop();
                decoded
            } else {
                self.save_unknown();
                Decoding::Absent
            };
            out.next(key, value, decoded);
            self.path.truncate(depth);
        }
        self.of = outer;
        self.schemas -= usize::from(is_schema);
        Ok(out.finish())
    }

    fn value(
        &mut self,
        type_: &'static GoType,
        value: &Value,
    ) -> Result<Decoding, DecodeErrorKind> {
        if value.is_null() {
            return Ok(Decoding::Absent);
        }
        let changed = match (type_, value) {
            (GoType::Any, _)
            | (GoType::Text(_), Value::String(_))
            | (GoType::Bool | GoType::SchemaOrBool, Value::Bool(_)) => None,
            (GoType::Float, Value::Number(number)) => match Num::of(number) {
                Num::Int(_) => None,
                Num::Float(float) => {
                    let read = Number::from_f64(float).map_or(Value::Null, Value::Number);
                    (read != *value).then_some(read)
                }
            },
            (GoType::Int64 | GoType::Int32, Value::Number(number)) => match number.as_i64() {
                Some(int) if matches!(type_, GoType::Int64) || i32::try_from(int).is_ok() => None,
                _ => {
                    self.save(format!("number {number}"), type_.name());
                    return Ok(Decoding::Absent);
                }
            },
            (GoType::Bytes, Value::String(text)) => {
                if let Err(at) = base64::STANDARD.decode(text.as_bytes()) {
                    let text = format!("illegal base64 data at input byte {at}");
                    self.saved.get_or_insert(DecodeErrorKind::Other(text));
                    return Ok(Decoding::Absent);
                }
                None
            }
            (GoType::Bytes, Value::Array(items)) => Some(self.bytes(items).into()),
            (GoType::Time, value) => {
                let metadata = Map::from_iter([("creationTimestamp".to_owned(), value.clone())]);
                object_meta::check(&Value::Object(metadata)).map_err(DecodeErrorKind::Other)?;
                None
            }
            (GoType::Struct(of), Value::Object(map)) => self.object(of, map)?,
            (GoType::List(element, _), Value::Array(items)) => self.list(element, items)?,
            (GoType::Map(element, _), Value::Object(map)) => self.map(element, map)?,
            (
                GoType::SchemaOrBool | GoType::SchemaOrArray | GoType::SchemaOrStrings,
                Value::Object(map),
            ) => self.decode_separately(|inner| inner.object(&SCHEMA, map))?,
            (GoType::SchemaOrBool, _) => {
                return Err(DecodeErrorKind::Other("boolean or JSON schema expected".to_owned()));
            }
            (GoType::SchemaOrArray, Value::Array(items)) => {
                self.decode_separately(|inner| inner.list(&types::SCHEMA_TYPE, items))?
            }
            (GoType::SchemaOrStrings, Value::Array(items)) => {
                self.decode_separately(|inner| inner.list(&types::STRING_TYPE, items))?
            }
            // Upstream: any other value counts as present, and is empty. The model reads `true` as
            // `SchemaOrArray::Neither`.
            (GoType::SchemaOrArray, _) => Some(Value::Bool(true)),
            (GoType::SchemaOrStrings, _) => Some(Value::Array(Vec::new())),
            (type_, value) => {
                self.save(object_meta::json_kind(value).to_owned(), type_.name());
                return Ok(Decoding::Absent);
            }
        };
        Ok(changed.into())
    }

    fn list(
        &mut self,
        element: &'static GoType,
        items: &[Value],
    ) -> Result<Option<Value>, DecodeErrorKind> {
        let mut out: Option<Vec<Value>> = None;
        for (index, item) in items.iter().enumerate() {
            let depth = self.path.len();
            let _ = write!(self.path, "[{index}]");
            let other = match self.value(element, item)? {
                Decoding::Same => None,
                Decoding::Other(other) => Some(other),
                Decoding::Absent => Some(element.zero()),
            };
            self.path.truncate(depth);
            match (&mut out, other) {
                (None, None) => {}
                (Some(out), other) => out.push(other.unwrap_or_else(|| item.clone())),
                (None, Some(other)) => {
                    let before = items.iter().take(index).cloned();
                    out = Some(before.chain([other]).collect());
                }
            }
        }
        Ok(out.map(Value::Array))
    }

    /// Reads a list of numbers as bytes, and returns them in base64.
    ///
    /// Source: `array` in `decode.go`, which reads an array into `[]byte` as into any list of `uint8`: null leaves an
    /// element 0.
    fn bytes(&mut self, items: &[Value]) -> String {
        let mut bytes = Vec::with_capacity(items.len());
        for item in items {
            let byte = item.as_u64().and_then(|number| u8::try_from(number).ok());
            if byte.is_none() && !item.is_null() {
                let kind = match item {
                    Value::Number(number) => format!("number {number}"),
                    item => object_meta::json_kind(item).to_owned(),
                };
                self.save(kind, "uint8");
            }
            bytes.push(byte.unwrap_or_default());
        }
        base64::STANDARD.encode(&bytes)
    }

    fn map(
        &mut self,
        element: &'static GoType,
        map: &Map<String, Value>,
    ) -> Result<Option<Value>, DecodeErrorKind> {
        let mut out = Entries::of(map);
        for (key, value) in map {
            let depth = self.path.len();
            if depth > 0 {
                self.path.push('.');
            }
            self.path.push_str(key);
            let decoded = match self.value(element, value)? {
                Decoding::Absent => Decoding::Other(element.zero()),
                decoded => decoded,
            };
            self.path.truncate(depth);
            out.next(key, value, decoded);
        }
        Ok(out.finish())
    }

    /// Decodes a value as a separate document, as Go's types with an `UnmarshalJSON` do, such as that of `items`: an
    /// error in it ends the decoding of the definition, and its unknown keys are not reported.
    fn decode_separately<T>(
        &mut self,
        decode: impl FnOnce(&mut Decoder) -> Result<T, DecodeErrorKind>,
    ) -> Result<T, DecodeErrorKind> {
        let mut inner = Decoder::of(self.schemas, self.keeps_inner_paths);
        let decoded = decode(&mut inner);
        let mut error = match (decoded, inner.saved) {
            (Ok(decoded), None) => return Ok(decoded),
            (Err(error), _) | (Ok(_), Some(error)) => error,
        };
        if let (DecodeErrorKind::Type { field, .. }, false) = (&mut error, self.keeps_inner_paths) {
            field.clear();
        }
        Err(self.in_context(error))
    }

    fn save_unknown(&mut self) {
        if self.unknown.len() < MAX_UNKNOWN_FIELDS {
            let text = format!("unknown field {}", gofmt::quote(&self.path));
            if !self.unknown.contains(&text) {
                self.unknown.push(text);
            }
        }
    }

    fn save(&mut self, value: String, type_: &'static str) {
        if self.saved.is_none() {
            let error = DecodeErrorKind::Type { value, type_, of: "", field: String::new() };
            self.saved = Some(self.in_context(error));
        }
    }

    /// Adds the path of the current field to an error about a type.
    ///
    /// Source: `addErrorContext`.
    fn in_context(&self, error: DecodeErrorKind) -> DecodeErrorKind {
        match error {
            DecodeErrorKind::Type { value, type_, field, of } => {
                if self.fields.is_empty() {
                    return DecodeErrorKind::Type { value, type_, of, field };
                }
                let mut stack = self.fields.join(".");
                if !field.is_empty() {
                    stack.push('.');
                    stack.push_str(&field);
                }
                DecodeErrorKind::Type { value, type_, of: self.of, field: stack }
            }
            other @ DecodeErrorKind::Other(_) => other,
        }
    }
}

/// Collects the decoded entries of a map.
struct Entries<'m> {
    map: &'m Map<String, Value>,
    /// The number of entries before the first changed one.
    unchanged: usize,
    /// The decoded entries; `None` while none has changed.
    changed: Option<Map<String, Value>>,
}

impl<'m> Entries<'m> {
    fn of(map: &'m Map<String, Value>) -> Self {
        Self { map, unchanged: 0, changed: None }
    }

    /// Adds the result of decoding the next entry.
    fn next(&mut self, key: &str, value: &Value, decoded: Decoding) {
        let value = match decoded {
            Decoding::Same if self.changed.is_none() => {
                self.unchanged += 1;
                return;
            }
            Decoding::Same => Some(value.clone()),
            Decoding::Other(other) => Some(other),
            Decoding::Absent => None,
        };
        let before = || {
            let before = self.map.iter().take(self.unchanged);
            before.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        let changed = self.changed.get_or_insert_with(before);
        if let Some(value) = value {
            changed.insert(key.to_owned(), value);
        }
    }

    fn finish(self) -> Option<Value> {
        self.changed.map(Value::Object)
    }
}
