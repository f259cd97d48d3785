//! Decoding of Protocol Buffers by the Go types, into the JSON as which Go would encode the decoded object.
//!
//! Typed clients, such as those of `kubectl create`, send objects of built-in kinds and definitions in this form.
//!
//! Source: `k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go`, the `Unmarshal` functions in
//! `generated.pb.go` of `k8s.io/api` and `k8s.io/apimachinery`, and `pkg/apis/meta/v1/time_proto.go`.

use k8s_openapi::ByteString;
use serde_json::{Map, Value};

use crate::go_types::time::Time;
use crate::go_types::{GoField, GoType, NamedType, SchemaOr, Special, TypeDefinition};
use crate::json::{self, MAX_DEPTH};

/// The first bytes of an object. Source: `protoEncodingPrefix`.
const PREFIX: &[u8] = b"k8s\0";
/// The message for bytes that do not begin with [`PREFIX`].
const NO_PREFIX: &str =
    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
/// The maximum number of bytes of an integer.
const MAX_VARINT_BYTES: usize = 10;

/// An object whose type is not yet decoded. Source: `Unknown` of `pkg/runtime/types.go`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Envelope<'a> {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    /// The message of the object.
    pub(crate) object: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// Reads the `apiVersion` and the `kind` of an object, and where its message is.
    ///
    /// # Errors
    /// Returns the message of the server if the bytes are not an object.
    pub(crate) fn read(sent: &'a [u8]) -> Result<Self, String> {
        if sent.is_empty() {
            return Err("empty data".to_owned());
        }
        let rest = sent.strip_prefix(PREFIX).ok_or(NO_PREFIX)?;
        if rest.is_empty() {
            return Err("empty body".to_owned());
        }
        let mut envelope = Self::default();
        let mut message = Message(rest);
        while let Some((number, wire)) = message.next()? {
            match number {
                1 => {
                    let mut type_meta = Message(wire.bytes("TypeMeta")?);
                    while let Some((number, wire)) = type_meta.next()? {
                        match number {
                            1 => envelope.api_version = wire.text("APIVersion")?,
                            2 => envelope.kind = wire.text("Kind")?,
                            _ => {}
                        }
                    }
                }
                2 => envelope.object = wire.bytes("Raw")?,
                _ => {}
            }
        }
        Ok(envelope)
    }
}

/// Decodes an object of a type. Fields of an unknown number are skipped.
///
/// # Errors
/// Returns a message if the bytes are not such an object.
pub(crate) fn decode(
    of: &'static NamedType,
    bytes: &[u8],
    minor: u32,
) -> Result<Map<String, Value>, String> {
    Place { minor, depth: 0 }.decode(of, bytes)
}

/// Where a message is: the minor of the server, and the number of structs around it. Only schemas nest without an end.
#[derive(Clone, Copy)]
struct Place {
    minor: u32,
    depth: usize,
}

impl Place {
    fn decode(self, of: &'static NamedType, bytes: &[u8]) -> Result<Map<String, Value>, String> {
        let mut object = Map::new();
        read(of, &mut Vec::new(), bytes, self, &mut object)?;
        Ok(object)
    }
}

/// Reads the fields of a struct. `inlined` has the numbers of the structs between `of` and the message, which are
/// messages of their own, although their fields are fields of `of` in JSON.
fn read(
    of: &'static NamedType,
    inlined: &mut Vec<u32>,
    bytes: &[u8],
    place: Place,
    object: &mut Map<String, Value>,
) -> Result<(), String> {
    let Place { minor, depth } = place;
    if depth > MAX_DEPTH {
        return Err(format!("the object nests more than {MAX_DEPTH} levels"));
    }
    let inside = Place { minor, depth: depth + 1 };
    let mut message = Message(bytes);
    while let Some((number, wire)) = message.next()? {
        inlined.push(number);
        let found = of.fields(minor).find(|field| field.numbers.starts_with(inlined));
        match found {
            Some(field) if field.numbers.len() == inlined.len() => {
                let value = object.entry(field.name).or_insert(Value::Null);
                put(field, &field.type_, wire, inside, value)?;
                if field.is_left_out(value) {
                    object.remove(field.name);
                }
            }
            Some(field) => {
                let name = field.inlined.get(inlined.len() - 1).copied().unwrap_or(field.name);
                read(of, inlined, wire.bytes(name)?, place, object)?;
            }
            None => {}
        }
        inlined.pop();
    }
    Ok(())
}

/// Adds one occurrence of a field to the field's value: as another element of a list or a map, as more fields of a
/// struct, or as the whole value.
fn put(
    field: &'static GoField,
    type_: &'static GoType,
    wire: Wire<'_>,
    place: Place,
    value: &mut Value,
) -> Result<(), String> {
    match type_ {
        GoType::Pointer(inner) => put(field, inner, wire, place, value),
        GoType::Named(named) => match named.definition() {
            TypeDefinition::Alias(inner, _) => put(field, inner, wire, place, value),
            TypeDefinition::Struct(_) => {
                // A field that occurs twice has the fields of both messages.
                if !value.is_object() {
                    *value = Value::Object(Map::new());
                }
                let Value::Object(object) = value else { return Ok(()) };
                read(named, &mut Vec::new(), wire.bytes(field.name)?, place, object)
            }
        },
        GoType::List(items) => {
            if !value.is_array() {
                *value = Value::Array(Vec::new());
            }
            let Value::Array(list) = value else { return Ok(()) };
            match (items.plain(), wire) {
                // Numbers may be packed into one field.
                (GoType::Int(_) | GoType::Bool, Wire::Bytes(packed)) => {
                    let mut packed = Message(packed);
                    while !packed.0.is_empty() {
                        let number = Wire::Varint(packed.varint()?);
                        list.push(single(field, items, number, place)?);
                    }
                }
                _ => list.push(single(field, items, wire, place)?),
            }
            Ok(())
        }
        GoType::Map(_, values) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            let Value::Object(map) = value else { return Ok(()) };
            let mut entry = Message(wire.bytes(field.name)?);
            let (mut key, mut found) = (String::new(), None);
            while let Some((number, wire)) = entry.next()? {
                match number {
                    1 => key = wire.text(field.name)?,
                    2 => found = Some(single(field, values, wire, place)?),
                    _ => {}
                }
            }
            map.insert(key, found.unwrap_or_else(|| values.zero(place.minor)));
            Ok(())
        }
        _ => {
            *value = single(field, type_, wire, place)?;
            Ok(())
        }
    }
}

/// Decodes a value that is no list and no map, or an element of one.
fn single(
    field: &'static GoField,
    type_: &'static GoType,
    wire: Wire<'_>,
    place: Place,
) -> Result<Value, String> {
    let name = field.name;
    Ok(match type_ {
        GoType::Text => wire.text(name)?.into(),
        GoType::Bool => (wire.varint(name)? != 0).into(),
        GoType::Int(32) => wire.int32(name)?.into(),
        GoType::Int(_) => wire.varint(name)?.cast_signed().into(),
        GoType::Bytes => {
            let bytes = ByteString(wire.bytes(name)?.to_vec());
            serde_json::to_value(bytes).map_err(|error| error.to_string())?
        }
        GoType::Special(special) => read_special(*special, name, wire.bytes(name)?)?,
        GoType::Float => json::stored(wire.double(name)?.into()),
        GoType::SchemaOr(schema, other) => {
            let (mut message, mut read, mut list) = (Message(wire.bytes(name)?), None, Vec::new());
            let mut is_allowed = false;
            while let Some((number, wire)) = message.next()? {
                match (other, number) {
                    (SchemaOr::Bool, 1) => is_allowed = wire.varint(name)? != 0,
                    (SchemaOr::Bool, 2) | (_, 1) => {
                        read = Some(single(field, schema, wire, place)?);
                    }
                    (SchemaOr::Array, 2) => list.push(single(field, schema, wire, place)?),
                    (SchemaOr::Strings, 2) => list.push(wire.text(name)?.into()),
                    _ => {}
                }
            }
            match other {
                SchemaOr::Bool => read.unwrap_or_else(|| is_allowed.into()),
                _ if list.is_empty() => read.unwrap_or_default(),
                _ => list.into(),
            }
        }
        GoType::Pointer(inner) => single(field, inner, wire, place)?,
        GoType::Named(named) => match named.definition() {
            TypeDefinition::Struct(_) => place.decode(named, wire.bytes(name)?)?.into(),
            TypeDefinition::Alias(inner, _) => single(field, inner, wire, place)?,
        },
        // A list within a list or a map is a message of its own, with the elements as its only field.
        GoType::List(_) | GoType::Map(..) => {
            let mut value = Value::Null;
            let mut message = Message(wire.bytes(name)?);
            while let Some((number, wire)) = message.next()? {
                if number == 1 {
                    put(field, type_, wire, place, &mut value)?;
                }
            }
            value
        }
    })
}

/// Reads the message of a type that decodes itself.
fn read_special(special: Special, field: &str, bytes: &[u8]) -> Result<Value, String> {
    let mut message = Message(bytes);
    let (mut numbers, mut text) = ([0; 2], None);
    while let Some((number, wire)) = message.next()? {
        match (number, &wire) {
            (1, Wire::Varint(number)) => numbers[0] = *number,
            (2, Wire::Varint(number)) => numbers[1] = *number,
            (1 | 3, Wire::Bytes(bytes)) => text = Some(*bytes),
            _ => {}
        }
    }
    let string = || String::from_utf8_lossy(text.unwrap_or_default()).into_owned();
    Ok(match special {
        Special::IntOrString if numbers[0] == 0 => int32(numbers[1]).into(),
        Special::Quantity | Special::IntOrString => string().into(),
        Special::Time | Special::MicroTime if bytes.is_empty() => Value::Null,
        Special::Time => Time::from_unix(numbers[0].cast_signed()).to_rfc3339().into(),
        Special::MicroTime => {
            let (seconds, nanos) = (numbers[0].cast_signed(), int32(numbers[1]));
            Time::from_unix_nanos(seconds, nanos).to_micros().into()
        }
        // Managed fields that are not valid JSON become a string: upstream later ignores them, as it ignores those
        // that are not an object.
        Special::Raw => match json::decode(text.unwrap_or(b"null")) {
            Ok(decoded) => decoded.value,
            Err(_) if field == "fieldsV1" => string().into(),
            Err(error) => return Err(error.to_string()),
        },
    })
}

/// The value of a field as it is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    /// Four or eight bytes.
    Fixed(&'a [u8]),
}

impl<'a> Wire<'a> {
    fn varint(self, field: &str) -> Result<u64, String> {
        match self {
            Self::Varint(number) => Ok(number),
            _ => Err(self.wrong_wire_type(field)),
        }
    }

    fn int32(self, field: &str) -> Result<i32, String> {
        self.varint(field).map(int32)
    }

    fn double(self, field: &str) -> Result<f64, String> {
        let Self::Fixed(bytes) = self else { return Err(self.wrong_wire_type(field)) };
        bytes.try_into().map(f64::from_le_bytes).map_err(|_| self.wrong_wire_type(field))
    }

    fn bytes(self, field: &str) -> Result<&'a [u8], String> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            _ => Err(self.wrong_wire_type(field)),
        }
    }

    fn text(self, field: &str) -> Result<String, String> {
        Ok(String::from_utf8_lossy(self.bytes(field)?).into_owned())
    }

    /// Returns the message for a value that a field of this name cannot have.
    fn wrong_wire_type(self, field: &str) -> String {
        let wire_type = match self {
            Self::Varint(_) => 0,
            Self::Bytes(_) => 2,
            Self::Fixed(bytes) if bytes.len() == 8 => 1,
            Self::Fixed(_) => 5,
        };
        // Most fields have the same name in Go, with an upper-case letter.
        let name = if field == "metadata" {
            "ObjectMeta".to_owned()
        } else {
            let (first, rest) = field.split_at_checked(1).unwrap_or_default();
            first.to_ascii_uppercase() + rest
        };
        format!("proto: wrong wireType = {wire_type} for field {name}")
    }
}

/// Go keeps the lowest 32 bits of a larger integer.
#[expect(clippy::cast_possible_truncation, reason = "as Go does")]
fn int32(number: u64) -> i32 {
    number as i32
}

/// The rest of a message.
struct Message<'a>(&'a [u8]);

impl<'a> Message<'a> {
    /// Reads the next field: its number and its value. Returns `None` at the end.
    fn next(&mut self) -> Result<Option<(u32, Wire<'a>)>, String> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| *number > 0);
        let number =
            number.ok_or_else(|| format!("proto: illegal tag {} (wire type {tag})", tag >> 3))?;
        let wire = match tag & 7 {
            0 => Wire::Varint(self.varint()?),
            1 => self.take(8).map(Wire::Fixed)?,
            2 => {
                let length = self.varint()?;
                if length.cast_signed() < 0 {
                    return Err("proto: negative length found during unmarshaling".to_owned());
                }
                Wire::Bytes(self.take(usize::try_from(length).unwrap_or(usize::MAX))?)
            }
            5 => self.take(4).map(Wire::Fixed)?,
            other => return Err(format!("proto: illegal wireType {other}")),
        };
        Ok(Some((number, wire)))
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for index in 0..MAX_VARINT_BYTES {
            let byte = *self.take(1)?.first().unwrap_or(&0);
            number |= u64::from(byte & 0x7f) << (7 * index).min(63);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("proto: integer overflow".to_owned())
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let (taken, rest) =
            self.0.split_at_checked(length).ok_or_else(|| "unexpected EOF".to_owned())?;
        self.0 = rest;
        Ok(taken)
    }
}
