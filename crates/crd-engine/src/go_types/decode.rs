//! Decodes JSON by Go types as the server does, and writes objects as Go encodes them.
//!
//! Values of the wrong type are errors, unknown fields are dropped and reported, empty values are left out where the
//! type says so, and fields that are always written are added with their zero value.
//!
//! Source: `decode.go` and `kubernetes_patch.go` of `sigs.k8s.io/json/internal/golang/encoding/json`.

use std::fmt::{self, Write as _};
use std::mem;

use crd_cel::kubernetes::KubernetesVersion;
use crd_cel::{base64, gofmt};
use serde_json::{Map, Number, Value};

use super::special::{self, DecodeFailure};
use super::{GoField, GoType, NamedType, SchemaOr, Special, TypeDefinition, definition, named};
use crate::json::{self, Num, OutOfRange, kind};
use crate::schema::MAX_SCHEMA_DEPTH;

/// The maximum number of unknown fields that are reported. Source: `saveStrictError`.
const MAX_UNKNOWN_FIELDS: usize = 100;
/// The first minor whose messages name the structs that a field is inlined from: `VolumeSource` in
/// `spec.volumes.VolumeSource.secret`.
const INLINED_NAMES_MINOR: u32 = 35;
/// The type of metadata. An object of a custom kind is decoded without it on servers of any minor.
const METADATA: &str = "meta.v1.ObjectMeta";

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
    Decoder::new(type_, minor, Origin::Body).run(object).map(messages)
}

/// Returns the error of Go's decoder for an object in which these numbers are 0; `None` if it does not read them, or if
/// they are to be any JSON.
pub fn out_of_range(
    type_: &'static NamedType,
    object: &Value,
    minor: u32,
    numbers: &[OutOfRange],
) -> Option<String> {
    let mut decoder = Decoder::new(type_, minor, Origin::Body);
    decoder.out_of_range = numbers.to_vec();
    decoder.run(&mut object.clone()).err()
}

/// Does what [`out_of_range`] does for a definition, in which no value can be any JSON.
pub fn out_of_range_in_definition(object: &Value, numbers: &[OutOfRange]) -> Option<String> {
    let origin = Origin::Definition { keeps_inner_paths: true, from: DefinitionFrom::Body };
    let mut decoder = Decoder::of(definition::ROOT, origin).ok()?;
    decoder.out_of_range = numbers.to_vec();
    decoder.run(&mut object.clone()).err()
}

/// Rewrites a decoded object as the server reads it from storage: adds the fields that are always written, and removes
/// empty ones. Empty lists and maps become null, because Protocol Buffers do not distinguish them from absent ones.
pub fn complete(type_: &'static NamedType, object: &mut Value, minor: u32) {
    // A decoded object has no unknown fields and no values of the wrong type.
    let _ = Decoder::new(type_, minor, Origin::Storage).run(object);
}

/// Decodes the metadata of an object of a custom kind, and returns the paths of unknown fields below it.
///
/// # Errors
/// Returns the errors of [`decode`]. Metadata is then changed in part.
pub(crate) fn decode_metadata(metadata: &mut Value) -> Result<Vec<String>, String> {
    Decoder::of(METADATA, Origin::Unstructured)?.run(metadata)
}

/// Does what [`decode_metadata`] does, but removes the fields that do not decode.
///
/// # Errors
/// Returns an error only if the table has no type of metadata.
pub(crate) fn decode_valid_metadata(metadata: &mut Map<String, Value>) -> Result<(), String> {
    let of = Decoder::of(METADATA, Origin::Unstructured)?.of;
    metadata.retain(|key, value| {
        let mut decoder = Decoder::new(of, REFERENCE, Origin::Unstructured);
        let keeps = of.field(key, REFERENCE);
        keeps.is_some_and(|field| matches!(decoder.field(of, field, value), Ok(true)))
            && decoder.saved.is_none()
    });
    Ok(())
}

impl Decoding {
    /// Decodes an object of a type as [`decode`] does.
    ///
    /// # Errors
    /// Returns the message of the server if a value is of the wrong type.
    pub fn decode(
        self,
        type_: &'static NamedType,
        object: &mut Value,
        minor: u32,
    ) -> Result<Vec<String>, String> {
        Decoder::new(type_, minor, self.origin()).run(object).map(messages)
    }

    /// Decodes the metadata of an object of a kind `of` which the server has a Go type, and returns the messages of
    /// strict field validation.
    ///
    /// # Errors
    /// Returns the errors of [`Decoding::decode`].
    pub fn decode_metadata_of(
        self,
        of: &'static str,
        metadata: &mut Value,
    ) -> Result<Vec<String>, String> {
        let mut decoder = Decoder::of(METADATA, self.origin())?;
        decoder.struct_name = of;
        decoder.fields.push("metadata");
        decoder.path.push_str("metadata");
        if !matches!(metadata, Value::Object(_) | Value::Null) {
            match self {
                Self::Body => decoder.save(kind(metadata), "v1.ObjectMeta"),
                Self::Merged => decoder.save_failure(no_struct(go_kind(metadata))),
            }
        }
        decoder.run(metadata).map(messages)
    }

    fn origin(self) -> Origin {
        match self {
            Self::Body => Origin::Body,
            Self::Merged => Origin::Merged,
        }
    }

    /// Removes from a definition what Go does not read: nulls and unknown fields. Returns the messages of strict field
    /// validation. With `keeps_inner_paths`, errors below `items` and the others that are decoded as documents of their
    /// own say where in that document they are.
    ///
    /// # Errors
    /// Returns the errors of [`Decoding::decode`], and rejects schemas that are nested deeper than
    /// [`MAX_SCHEMA_DEPTH`].
    pub(crate) fn decode_definition(
        self,
        object: &mut Value,
        keeps_inner_paths: bool,
    ) -> Result<Vec<String>, String> {
        let from = match self {
            Self::Body => DefinitionFrom::Body,
            Self::Merged => DefinitionFrom::Merged,
        };
        let origin = Origin::Definition { keeps_inner_paths, from };
        Decoder::of(definition::ROOT, origin)?.run(object).map(messages)
    }
}

/// The minor whose types decode what is the same on all servers.
const REFERENCE: u32 = KubernetesVersion::REFERENCE.minor();

fn messages(paths: Vec<String>) -> Vec<String> {
    paths.into_iter().map(|path| format!("unknown field {}", gofmt::quote(&path))).collect()
}

/// How the server decodes an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoding {
    /// As the body of a request, by the decoder of JSON.
    Body,
    /// As what an apply or a strategic merge patch has merged, value by value. Upstream: errors do not name the field.
    ///
    /// Source: `fromUnstructured` of apimachinery `pkg/runtime/converter.go`.
    Merged,
}

/// Where an object comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The body of a request.
    Body,
    /// An apply or a strategic merge patch, which has merged it.
    Merged,
    /// The storage of the server.
    Storage,
    /// An object without a Go type, which Go has written again: keys are sorted, and `1.0` is `1`.
    ///
    /// Source: `GetObjectMetaWithOptions` and `SetObjectMeta` in `pkg/apiserver/schema/objectmeta/coerce.go`.
    Unstructured,
    /// A definition, which is decoded for [`crate::model`] and not encoded.
    Definition { keeps_inner_paths: bool, from: DefinitionFrom },
}

/// Where a definition comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DefinitionFrom {
    /// The body of a request.
    Body,
    /// An apply or a strategic merge patch, which has merged it.
    Merged,
    /// A part of a merged definition whose type decodes itself: Go has written it again.
    Rewritten,
}

/// An error of Go's decoder.
#[derive(Debug)]
enum Failure {
    /// A value of the wrong JSON type, in a field of a struct.
    ///
    /// Source: `UnmarshalTypeError`.
    Type { found: String, wanted: String, of: &'static str, fields: String },
    /// Any other error.
    Text(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { found, wanted, of, fields } if of.is_empty() && fields.is_empty() => {
                write!(f, "json: cannot unmarshal {found} into Go value of type {wanted}")
            }
            Self::Type { found, wanted, of, fields } => write!(
                f,
                "json: cannot unmarshal {found} into Go struct field {of}.{fields} of type {wanted}"
            ),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Recursion follows the value, which is nested at most [`json::MAX_DEPTH`] deep; schemas nest at most
/// [`MAX_SCHEMA_DEPTH`] deep.
struct Decoder {
    of: &'static NamedType,
    minor: u32,
    origin: Origin,
    /// The name of the innermost struct whose field is decoded.
    struct_name: &'static str,
    /// The fields around the value, without indices and keys.
    fields: Vec<&'static str>,
    /// The path of the value, with indices and keys.
    path: String,
    /// The number of schemas around the value.
    schemas: usize,
    /// The paths of unknown fields.
    unknown: Vec<String>,
    /// The first value of the wrong type. Decoding goes on after it.
    saved: Option<Failure>,
    /// The numbers that are 0 in the object because they are out of range.
    out_of_range: Vec<OutOfRange>,
}

impl Decoder {
    fn new(of: &'static NamedType, minor: u32, origin: Origin) -> Self {
        Self {
            of,
            minor,
            origin,
            struct_name: of.bare(),
            fields: Vec::new(),
            path: String::new(),
            schemas: 0,
            unknown: Vec::new(),
            saved: None,
            out_of_range: Vec::new(),
        }
    }

    fn of(name: &str, origin: Origin) -> Result<Self, String> {
        let of = named(name).ok_or_else(|| format!("no Go type {name} is known"))?;
        Ok(Self::new(of, REFERENCE, origin))
    }

    /// Returns the paths of unknown fields.
    fn run(mut self, object: &mut Value) -> Result<Vec<String>, String> {
        let decoded = match object {
            Value::Object(map) => self.object(self.of, map),
            _ => Ok(()),
        };
        let failure = match decoded {
            // What is converted value by value ends at the first error.
            Err(failure) if self.is_merged() => Some(self.saved.unwrap_or(failure)),
            Err(failure) => Some(failure),
            Ok(()) => self.saved,
        };
        failure.map_or(Ok(self.unknown), |failure| Err(failure.to_string()))
    }

    fn is_encoded(&self) -> bool {
        !matches!(self.origin, Origin::Definition { .. })
    }

    /// Returns whether values are converted one by one.
    fn is_merged(&self) -> bool {
        matches!(
            self.origin,
            Origin::Merged | Origin::Definition { from: DefinitionFrom::Merged, .. }
        )
    }

    /// Returns whether Go has written the text that is decoded.
    fn is_rewritten(&self) -> bool {
        matches!(
            self.origin,
            Origin::Unstructured | Origin::Definition { from: DefinitionFrom::Rewritten, .. }
        )
    }

    fn object(
        &mut self,
        of: &'static NamedType,
        map: &mut Map<String, Value>,
    ) -> Result<(), Failure> {
        let is_schema = of.name == definition::SCHEMA;
        self.schemas += usize::from(is_schema);
        if self.schemas > MAX_SCHEMA_DEPTH {
            let text = format!("schemas are nested deeper than {MAX_SCHEMA_DEPTH} levels");
            return Err(Failure::Text(text));
        }
        if self.is_rewritten() {
            map.sort_keys();
        }
        let mut dropped = Vec::new();
        if self.is_merged() {
            // Upstream: in the order of the fields.
            for field in of.fields(self.minor) {
                if let Some(value) = map.get_mut(field.name)
                    && !self.field(of, field, value)?
                {
                    dropped.push(field.name.to_owned());
                }
            }
        }
        for (key, value) in map.iter_mut() {
            let keeps = match of.field(key, self.minor) {
                Some(_) if self.is_merged() => continue,
                Some(field) => self.field(of, field, value)?,
                None => {
                    self.report(key);
                    false
                }
            };
            if !keeps {
                dropped.push(key.clone());
            }
        }
        for key in dropped {
            map.remove(&key);
        }
        self.schemas -= usize::from(is_schema);
        if self.is_encoded() {
            for field in of.fields(self.minor).filter(|field| field.has_zero()) {
                if !map.contains_key(field.name) {
                    map.insert(field.name.to_owned(), field.type_.zero(self.minor));
                }
            }
        }
        Ok(())
    }

    /// Decodes a field. Returns whether it is kept.
    fn field(
        &mut self,
        of: &'static NamedType,
        field: &'static GoField,
        value: &mut Value,
    ) -> Result<bool, Failure> {
        let is_null = value.is_null();
        if is_null && !self.is_encoded() {
            return Ok(false);
        }
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
        if !self.is_encoded() {
            return Ok(!value.is_null());
        }
        let keeps = !self.omits(field, value, is_null);
        if keeps && self.origin == Origin::Storage && is_empty_collection(field, value) {
            *value = Value::Null;
        }
        Ok(keeps)
    }

    fn value(&mut self, type_: &'static GoType, value: &mut Value) -> Result<(), Failure> {
        if !self.out_of_range.is_empty()
            && let Some(number) = self.out_of_range.iter().find(|number| number.path == self.path)
        {
            let literal = number.literal.clone();
            return self.out_of_range(type_, &literal, value);
        }
        if value.is_null() {
            *value = self.zero(type_);
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

    /// Decodes a number that is out of range. Its value is 0.
    fn out_of_range(
        &mut self,
        type_: &'static GoType,
        literal: &str,
        value: &mut Value,
    ) -> Result<(), Failure> {
        if let GoType::Pointer(inner) = type_ {
            return self.out_of_range(inner, literal, value);
        }
        let number = format!("number {literal}");
        match type_.plain() {
            GoType::Int(_) | GoType::Float => self.save(&number, &type_.print()),
            GoType::Special(Special::IntOrString) => {
                return Err(self.in_context(mismatch(number, "int32")));
            }
            GoType::Special(Special::Quantity) => {
                *value = literal.into();
                return self.underlying(type_.plain(), type_, value);
            }
            GoType::Special(Special::Raw) if !self.is_encoded() => {
                self.save_failure(Failure::Text(mismatch(number, "float64").to_string()));
            }
            GoType::Special(Special::Raw) => {}
            _ => self.mismatch(value, type_),
        }
        Ok(())
    }

    fn zero(&self, type_: &'static GoType) -> Value {
        match type_.plain() {
            GoType::Named(_) if !self.is_encoded() => Value::Object(Map::new()),
            _ => type_.zero(self.minor),
        }
    }

    /// Decodes a value that is not a struct. `named` is the type that messages name.
    fn underlying(
        &mut self,
        type_: &'static GoType,
        named: &'static GoType,
        value: &mut Value,
    ) -> Result<(), Failure> {
        match (type_, &mut *value) {
            (GoType::Text, Value::String(_)) | (GoType::Bool, Value::Bool(_)) => {}
            (GoType::Int(bits), Value::Number(found)) => self.int(*bits, found, named),
            (GoType::Float, Value::Number(found)) => {
                if let Num::Float(float) = Num::of(found)
                    && let Some(read) = Number::from_f64(float)
                {
                    *found = read;
                }
            }
            (GoType::Bytes, Value::String(text)) => match special::base64(text) {
                Ok(canonical) => *text = canonical,
                Err(why) if self.is_merged() => {
                    self.save_failure(Failure::Text(format!("error decoding from json: {why}")));
                }
                Err(why) => self.save_failure(Failure::Text(why)),
            },
            (GoType::Bytes, Value::Array(items)) => *value = self.bytes(items).into(),
            (GoType::Special(Special::Raw), _) => {
                if self.is_rewritten() || self.is_merged() {
                    // Upstream: the value is kept as text and parsed again, so that `1.0` becomes `1`.
                    *value = json::stored(mem::take(value));
                }
            }
            (GoType::Special(special), _) => {
                special.decode(value).map_err(|failure| match failure {
                    DecodeFailure::Text(why) => Failure::Text(why),
                    DecodeFailure::Type { found, wanted } => {
                        let failure = mismatch(found, wanted);
                        if self.is_merged() { failure } else { self.in_context(failure) }
                    }
                })?;
            }
            (GoType::SchemaOr(schema, other), _) => self.schema_or(schema, *other, value)?,
            (GoType::List(items), Value::Array(list)) => self.items(items, list)?,
            (GoType::Map(_, values), Value::Object(map)) => self.entries(values, map)?,
            _ => self.mismatch(value, named),
        }
        Ok(())
    }

    fn items(&mut self, items: &'static GoType, list: &mut [Value]) -> Result<(), Failure> {
        let length = self.path.len();
        for (index, item) in list.iter_mut().enumerate() {
            let _ = write!(self.path, "[{index}]");
            self.value(items, item)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn entries(
        &mut self,
        values: &'static GoType,
        map: &mut Map<String, Value>,
    ) -> Result<(), Failure> {
        let length = self.path.len();
        for (key, value) in map.iter_mut() {
            self.push_key(key);
            self.value(values, value)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn int(&mut self, bits: u8, found: &mut Number, named: &'static GoType) {
        if self.is_merged() {
            if let Some(int) = converted(bits, found) {
                *found = int.into();
            } else {
                let text = format!("cannot convert float64 to {}", named.print());
                self.save_failure(Failure::Text(text));
            }
            return;
        }
        let (int, shown) = match Num::of(found) {
            Num::Int(int) => (Some(int), found.to_string()),
            Num::Float(float) if self.is_rewritten() => {
                let text = gofmt::float_json(float);
                (text.parse().ok(), text)
            }
            Num::Float(_) => (None, found.to_string()),
        };
        if let Some(int) = int.filter(|int| bits == 64 || i32::try_from(*int).is_ok()) {
            *found = int.into();
        } else {
            self.save(&format!("number {shown}"), &named.print());
        }
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
                match item {
                    Value::Number(number) => self.save(&format!("number {number}"), "uint8"),
                    item => self.save(kind(item), "uint8"),
                }
            }
            bytes.push(byte.unwrap_or_default());
        }
        base64::STANDARD.encode(&bytes)
    }

    /// Decodes a value that is a schema or something else.
    ///
    /// Source: `UnmarshalJSON` in `pkg/apis/apiextensions/v1/marshal.go`.
    fn schema_or(
        &mut self,
        schema: &'static GoType,
        other: SchemaOr,
        value: &mut Value,
    ) -> Result<(), Failure> {
        match (other, &mut *value) {
            (_, Value::Object(_)) => return self.separately(|inner| inner.value(schema, value)),
            (SchemaOr::Bool, Value::Bool(_)) => {}
            (SchemaOr::Bool, _) => {
                return Err(Failure::Text("boolean or JSON schema expected".to_owned()));
            }
            (SchemaOr::Array, Value::Array(items)) => {
                return self.separately(|inner| inner.items(schema, items));
            }
            (SchemaOr::Strings, Value::Array(items)) => {
                return self.separately(|inner| inner.items(&GoType::Text, items));
            }
            // Upstream: any other value counts as present, and is empty. The model reads `true` as
            // `SchemaOrArray::Neither`.
            (SchemaOr::Array, _) => *value = true.into(),
            (SchemaOr::Strings, _) => *value = Value::Array(Vec::new()),
        }
        Ok(())
    }

    /// Decodes a value as a document of its own, as Go's types with an `UnmarshalJSON` do, such as that of `items`: an
    /// error in it ends the decoding of the definition, and its unknown keys are not reported.
    fn separately(
        &mut self,
        decode: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let origin = match self.origin {
            Origin::Definition { keeps_inner_paths, from: DefinitionFrom::Merged } => {
                Origin::Definition { keeps_inner_paths, from: DefinitionFrom::Rewritten }
            }
            other => other,
        };
        let mut inner = Self::new(self.of, self.minor, origin);
        inner.schemas = self.schemas;
        inner.path.clone_from(&self.path);
        inner.out_of_range.clone_from(&self.out_of_range);
        let mut failure = match (decode(&mut inner), inner.saved) {
            (Ok(()), None) => return Ok(()),
            (Err(failure), _) | (Ok(()), Some(failure)) => failure,
        };
        if self.is_merged() {
            return Err(failure);
        }
        if let (Failure::Type { fields, .. }, Origin::Definition { keeps_inner_paths: false, .. }) =
            (&mut failure, self.origin)
        {
            fields.clear();
        }
        Err(self.in_context(failure))
    }

    /// Returns whether Go leaves a value out when it encodes the field. A pointer to a zero time is written as null, and
    /// read as one from storage, while the null of a body is no pointer.
    fn omits(&self, field: &'static GoField, value: &Value, is_nil: bool) -> bool {
        if !field.omits_empty && !field.omits_zero {
            return false;
        }
        if field.is_struct() {
            return field.omits_zero && *value == field.type_.zero(self.minor);
        }
        match field.type_.without_aliases() {
            GoType::Pointer(inner)
                if self.origin == Origin::Storage
                    && matches!(
                        inner.plain(),
                        GoType::Special(Special::Time | Special::MicroTime)
                    ) =>
            {
                false
            }
            GoType::Pointer(_) => is_nil,
            _ => is_empty(value),
        }
    }

    fn push_key(&mut self, key: &str) {
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(key);
    }

    /// Adds the path of an unknown field of the current struct.
    fn report(&mut self, key: &str) {
        if self.unknown.len() < MAX_UNKNOWN_FIELDS {
            let length = self.path.len();
            self.push_key(key);
            if !self.unknown.contains(&self.path) {
                self.unknown.push(self.path.clone());
            }
            self.path.truncate(length);
        }
    }

    fn mismatch(&mut self, value: &Value, type_: &'static GoType) {
        if self.is_merged() {
            self.save_failure(cannot_convert(value, type_));
        } else {
            self.save(kind(value), &type_.print());
        }
    }

    fn save(&mut self, found: &str, wanted: &str) {
        if self.saved.is_none() {
            self.saved = Some(self.in_context(mismatch(found.to_owned(), wanted)));
        }
    }

    fn save_failure(&mut self, failure: Failure) {
        self.saved.get_or_insert(failure);
    }

    /// Adds the path of the current field to an error about a type.
    ///
    /// Source: `addErrorContext`.
    fn in_context(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Type { found, wanted, fields, .. } if !self.fields.is_empty() => {
                let mut path = self.fields.join(".");
                if !fields.is_empty() {
                    path.push('.');
                    path.push_str(&fields);
                }
                Failure::Type { found, wanted, of: self.struct_name, fields: path }
            }
            other => other,
        }
    }
}

/// Returns a merged number as an integer of 32 or 64 bits; `None` if it has a fraction.
///
/// Upstream: what is out of range wraps around, without an error. Source: `cvtInt` and `cvtFloatInt` of Go's `reflect`.
#[expect(clippy::cast_possible_truncation, reason = "Go truncates too")]
fn converted(bits: u8, found: &Number) -> Option<i64> {
    let int = match Num::of(found) {
        Num::Int(int) => int,
        Num::Float(float) if float.fract() != 0.0 => return None,
        // What amd64 makes of a float that is out of range.
        Num::Float(float) if float.abs() >= 2f64.powi(63) => i64::MIN,
        Num::Float(float) => float as i64,
    };
    Some(if bits == 32 { i64::from(int as i32) } else { int })
}

/// Returns the message about a merged value of the wrong type.
///
/// Source: `fromUnstructured` of apimachinery `pkg/runtime/converter.go`.
fn cannot_convert(value: &Value, type_: &'static GoType) -> Failure {
    let found = go_kind(value);
    Failure::Text(match type_.plain() {
        GoType::Map(..) => format!("cannot restore map from {found}"),
        GoType::List(_) | GoType::Bytes => format!("cannot restore slice from {found}"),
        GoType::Named(_) => return no_struct(found),
        // Only an integer would be convertible in Go.
        GoType::Text if found == "int64" => format!("cannot convert int64 to {}", type_.print()),
        plain => format!("unrecognized type: {}", plain.print()),
    })
}

fn no_struct(found: &str) -> Failure {
    Failure::Text(format!("cannot restore struct from: {found}"))
}

/// Returns the kind of Go's value.
fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "string",
        Value::Bool(_) => "bool",
        Value::Number(number) if matches!(Num::of(number), Num::Int(_)) => "int64",
        Value::Number(_) => "float64",
        Value::Array(_) => "slice",
        Value::Object(_) | Value::Null => "map",
    }
}

/// Returns an error that names no field yet.
fn mismatch(found: String, wanted: &str) -> Failure {
    Failure::Type { found, wanted: wanted.to_owned(), of: "", fields: String::new() }
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
            Self::Int(_) | Self::Float => 0.into(),
            Self::Special(special) => special.zero(),
            Self::SchemaOr(..) => Value::Array(Vec::new()),
            Self::Bytes | Self::Pointer(_) | Self::List(_) | Self::Map(..) => Value::Null,
            Self::Named(named) => match named.definition() {
                TypeDefinition::Alias(inner, _) => inner.zero(minor),
                TypeDefinition::Struct(_) => {
                    let fields = named.fields(minor).filter(|field| field.has_zero());
                    let zeros = fields.map(|it| (it.name.to_owned(), it.type_.zero(minor)));
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
