//! Decodes objects as Go does, and writes them as Go encodes them.
//!
//! Values of the wrong type are errors, unknown fields are dropped and reported, empty values are left out where the
//! type says so, and fields that are always written are added with their zero value.
//!
//! Source: `decode.go` and `kubernetes_patch.go` of `sigs.k8s.io/json/internal/golang/encoding/json`.

use serde_json::{Map, Number, Value};

use super::special::{self, DecodeFailure};
use super::{GoField, GoType, NamedType, TypeDefinition};
use crate::object_meta::json_kind;

/// The maximum number of messages of strict decoding. Source: `saveStrictError`.
const MAX_STRICT_MESSAGES: usize = 100;
/// The first minor whose messages name the structs that a field is inlined from: `VolumeSource` in
/// `spec.volumes.VolumeSource.secret`.
const INLINED_NAMES_MINOR: u32 = 35;

/// Decodes an object of a type, and rewrites it as the server encodes it. Returns the messages of strict field
/// validation, in the order of the names of the fields.
///
/// # Errors
/// Returns the message of Go's decoder if a value is of the wrong type.
pub fn decode(
    type_: &'static NamedType,
    object: &mut Value,
    minor: u32,
) -> Result<Vec<String>, String> {
    run(type_, object, minor, Origin::Body)
}

/// Does what [`decode`] does for an object that an apply has merged.
///
/// # Errors
/// Returns the errors of [`decode`]. Upstream: those of types that decode themselves, such as times, do not name the
/// field. Source: `fromUnstructured` of apimachinery `pkg/runtime/converter.go`.
pub fn decode_merged(
    type_: &'static NamedType,
    object: &mut Value,
    minor: u32,
) -> Result<(), String> {
    run(type_, object, minor, Origin::Merged).map(drop)
}

/// Where an object comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Body,
    Merged,
    Storage,
}

fn run(
    type_: &'static NamedType,
    object: &mut Value,
    minor: u32,
    origin: Origin,
) -> Result<Vec<String>, String> {
    let mut decoder = Decoder {
        minor,
        origin,
        struct_name: type_.bare(),
        fields: Vec::new(),
        path: String::new(),
        strict: Vec::new(),
        saved_error: None,
    };
    if let Value::Object(map) = object {
        decoder.object(type_, map)?;
    }
    decoder.saved_error.map_or(Ok(decoder.strict), Err)
}

/// Rewrites a decoded object as the server reads it from storage: adds the fields that are always written, and removes
/// empty ones. Empty lists and maps become null, because Protocol Buffers do not distinguish them from absent ones.
pub fn complete(type_: &'static NamedType, object: &mut Value, minor: u32) {
    // A decoded object has no unknown fields and no values of the wrong type.
    let _ = run(type_, object, minor, Origin::Storage);
}

struct Decoder {
    minor: u32,
    origin: Origin,
    /// The name of the innermost struct whose field is decoded.
    struct_name: &'static str,
    /// The fields around the value, without indices and keys.
    fields: Vec<&'static str>,
    /// The path of the value, with indices and keys.
    path: String,
    strict: Vec<String>,
    /// The message for the first value of the wrong type. Decoding goes on after it.
    saved_error: Option<String>,
}

impl Decoder {
    fn object(
        &mut self,
        of: &'static NamedType,
        map: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let mut dropped = Vec::new();
        for (key, value) in map.iter_mut() {
            let Some(field) = of.fields(self.minor).find(|field| field.name == key) else {
                self.report(key);
                dropped.push(key.clone());
                continue;
            };
            self.field(of, field, value)?;
        }
        for key in dropped {
            map.remove(&key);
        }
        for field in of.fields(self.minor) {
            match map.get_mut(field.name) {
                Some(value) if self.omits(field, value) => {
                    map.remove(field.name);
                }
                Some(value)
                    if self.origin == Origin::Storage && is_empty_collection(field, value) =>
                {
                    *value = Value::Null;
                }
                Some(_) => {}
                None => {
                    if let Some(zero) = field.zero(self.minor) {
                        map.insert(field.name.to_owned(), zero);
                    }
                }
            }
        }
        Ok(())
    }

    fn field(
        &mut self,
        of: &'static NamedType,
        field: &'static GoField,
        value: &mut Value,
    ) -> Result<(), String> {
        let (outer, depth, length) = (self.struct_name, self.fields.len(), self.path.len());
        self.struct_name = of.bare();
        if self.minor >= INLINED_NAMES_MINOR {
            self.fields.extend_from_slice(&field.inlined);
        }
        self.fields.push(field.name);
        self.push_key(field.name);
        self.value(&field.type_, value)?;
        self.struct_name = outer;
        self.fields.truncate(depth);
        self.path.truncate(length);
        Ok(())
    }

    fn value(&mut self, type_: &'static GoType, value: &mut Value) -> Result<(), String> {
        if value.is_null() {
            *value = type_.zero(self.minor);
            return Ok(());
        }
        match (type_, &mut *value) {
            (GoType::Pointer(inner), _) => return self.value(inner, value),
            (GoType::Named(named), _) => match (named.definition(), &mut *value) {
                (TypeDefinition::Struct(_), Value::Object(map)) => return self.object(named, map),
                (TypeDefinition::Struct(_), _) => self.mismatch(value, type_),
                (TypeDefinition::Alias(inner, _), _) => {
                    return self.underlying(inner, type_, value);
                }
            },
            _ => return self.underlying(type_, type_, value),
        }
        Ok(())
    }

    /// Decodes a value that is not a struct. `named` is the type that messages name.
    fn underlying(
        &mut self,
        type_: &'static GoType,
        named: &'static GoType,
        value: &mut Value,
    ) -> Result<(), String> {
        match (type_, &mut *value) {
            (GoType::Text, Value::String(_)) | (GoType::Bool, Value::Bool(_)) => {}
            (GoType::Int(bits), Value::Number(found)) => self.int(*bits, found, named),
            (GoType::Bytes, Value::String(text)) => match special::base64(text) {
                Ok(canonical) => *text = canonical,
                Err(why) => self.save_error(why),
            },
            (GoType::Special(special), _) => {
                special.decode(value).map_err(|failure| match failure {
                    DecodeFailure::Text(why) => why,
                    DecodeFailure::Type { found, wanted } if self.origin == Origin::Merged => {
                        format!("json: cannot unmarshal {found} into Go value of type {wanted}")
                    }
                    DecodeFailure::Type { found, wanted } => self.describe(&found, wanted),
                })?;
            }
            (GoType::List(items), Value::Array(list)) => self.items(items, list)?,
            (GoType::Map(_, values), Value::Object(map)) => self.entries(values, map)?,
            _ => self.mismatch(value, named),
        }
        Ok(())
    }

    fn items(&mut self, items: &'static GoType, list: &mut [Value]) -> Result<(), String> {
        let length = self.path.len();
        for (index, item) in list.iter_mut().enumerate() {
            self.path.push('[');
            self.path.push_str(&index.to_string());
            self.path.push(']');
            self.value(items, item)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn entries(
        &mut self,
        values: &'static GoType,
        map: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let length = self.path.len();
        for (key, value) in map.iter_mut() {
            self.push_key(key);
            self.value(values, value)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn int(&mut self, bits: u8, found: &Number, named: &GoType) {
        let fits = found.as_i64().is_some_and(|int| bits == 64 || i32::try_from(int).is_ok());
        if !fits {
            let text = self.describe(&format!("number {found}"), &named.print());
            self.save_error(text);
        }
    }

    /// Returns whether Go leaves a value out when it encodes the field.
    fn omits(&self, field: &'static GoField, value: &Value) -> bool {
        if !field.omits_empty && !field.omits_zero {
            return false;
        }
        if field.is_struct() {
            return field.omits_zero && *value == field.type_.zero(self.minor);
        }
        match field.type_.without_aliases() {
            GoType::Pointer(_) => value.is_null(),
            _ => is_empty(value),
        }
    }

    fn push_key(&mut self, key: &str) {
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(key);
    }

    /// Adds the message for an unknown field of the current struct.
    fn report(&mut self, key: &str) {
        if self.strict.len() == MAX_STRICT_MESSAGES {
            return;
        }
        let dot = if self.path.is_empty() { "" } else { "." };
        let message = format!("unknown field {:?}", format!("{}{dot}{key}", self.path));
        if !self.strict.contains(&message) {
            self.strict.push(message);
        }
    }

    fn mismatch(&mut self, value: &Value, type_: &GoType) {
        let text = self.describe(json_kind(value), &type_.print());
        self.save_error(text);
    }

    fn describe(&self, found: &str, type_: &str) -> String {
        let (of, fields) = (self.struct_name, self.fields.join("."));
        format!("json: cannot unmarshal {found} into Go struct field {of}.{fields} of type {type_}")
    }

    fn save_error(&mut self, message: String) {
        self.saved_error.get_or_insert(message);
    }
}

impl GoType {
    /// Returns the type that an alias names. Other types are returned unchanged.
    fn without_aliases(&'static self) -> &'static Self {
        match self {
            Self::Named(named) => match named.definition() {
                TypeDefinition::Alias(inner, _) => inner.without_aliases(),
                TypeDefinition::Struct(_) => self,
            },
            other => other,
        }
    }

    /// Returns what Go writes for the zero value.
    pub fn zero(&'static self, minor: u32) -> Value {
        match self {
            Self::Text => "".into(),
            Self::Bool => false.into(),
            Self::Int(_) => 0.into(),
            Self::Special(special) => special.zero(),
            Self::Bytes | Self::Pointer(_) | Self::List(_) | Self::Map(..) => Value::Null,
            Self::Named(named) => match named.definition() {
                TypeDefinition::Alias(inner, _) => inner.zero(minor),
                TypeDefinition::Struct(_) => {
                    let fields = named.fields(minor);
                    let zeros = fields.filter_map(|it| Some((it.name.to_owned(), it.zero(minor)?)));
                    Value::Object(zeros.collect())
                }
            },
        }
    }
}

/// Returns whether a value is a list or a map without elements.
fn is_empty_collection(field: &'static GoField, value: &Value) -> bool {
    matches!(field.type_.without_aliases(), GoType::List(_) | GoType::Map(..)) && is_empty(value)
}

/// Returns whether `omitempty` leaves a value out.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(bool) => !bool,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
    }
}
