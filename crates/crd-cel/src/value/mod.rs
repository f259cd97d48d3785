//! The values of the evaluator: scalars are held by value, JSON by reference, and everything else is
//! shared.
//!
//! A [`Value`] over JSON is a pointer to the JSON and a pointer to its declaration. Members are
//! converted when they are read, so that parts that a rule does not read take no time.

mod authorization;
pub mod constructed;
pub(crate) mod convert;
pub(crate) mod equal;
mod json;
pub(crate) mod key;
pub(crate) mod keyed;
mod list;
pub(crate) mod literal;
pub(crate) mod map;
mod merged;
mod opaque;
pub(crate) mod order;
mod print;
mod raw;

use std::fmt;
use std::sync::Arc;

pub(crate) use authorization::{Authorization, Principal};
pub use list::{Joined, List};
pub(crate) use map::hashable;
pub use map::{Map, OwnedMap};
pub use merged::Merged;
use merged::Semantics;
pub(crate) use opaque::Opaque;

use crate::decl::Decl;
use crate::error::EvalError;
use crate::time::{Duration, Timestamp};

/// The bytes that an `Arc<str>` allocates besides the text: two reference counts.
pub(crate) const SHARED_TEXT: u64 = 16;

/// The size of a text in a cost formula.
pub(crate) fn code_points(text: &str) -> u64 {
    text.chars().count() as u64
}

/// A CEL value. `'a` is the lifetime of the JSON and of the program that it comes from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Value<'a> {
    /// `null`
    Null,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A uint.
    Uint(u64),
    /// A double.
    Double(f64),
    /// A string.
    String(Str<'a>),
    /// Bytes.
    Bytes(Bytes<'a>),
    /// A duration.
    Duration(Duration),
    /// A point in time.
    Timestamp(Timestamp),
    /// A list.
    List(List<'a>),
    /// A map, or an object.
    Map(Map<'a>),
    /// A type, by its run-time name (`int`, `list`, `google.protobuf.Duration`).
    Type(Str<'a>),
    /// An optional.
    Optional(Option<Arc<Value<'a>>>),
    /// A value of a Kubernetes library.
    Opaque(Opaque<'a>),
    /// JSON that the schema preserves but does not describe: only equality is defined.
    Unknown(&'a serde_json::Value),
}

/// Text, borrowed from the JSON or the program if possible.
#[derive(Clone)]
pub enum Str<'a> {
    /// Text that is owned elsewhere.
    Borrowed(&'a str),
    /// Text that was created by an operation.
    Shared(Arc<str>),
}

/// Bytes, borrowed from the program if possible.
#[derive(Clone)]
pub enum Bytes<'a> {
    /// Bytes that are owned elsewhere.
    Borrowed(&'a [u8]),
    /// Bytes that were created by an operation.
    Shared(Arc<[u8]>),
}

impl<'a> Value<'a> {
    /// A string that was created by an operation.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(Str::Shared(text.into()))
    }

    /// A string that is borrowed.
    pub fn str(text: &'a str) -> Self {
        Self::String(Str::Borrowed(text))
    }

    /// Bytes that were created by an operation.
    pub fn bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::Bytes(Bytes::Shared(bytes.into()))
    }

    /// A list of values.
    pub fn list(items: Vec<Value<'a>>) -> Self {
        Self::List(List::Owned(Arc::new(items)))
    }

    /// A map of entries.
    pub fn map(map: OwnedMap<'a>) -> Self {
        Self::Map(Map::Owned(Arc::new(map)))
    }

    /// A type by its run-time name.
    pub fn type_named(name: &'a str) -> Self {
        Self::Type(Str::Borrowed(name))
    }

    /// `optional.of(value)`
    pub fn some(value: Value<'a>) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    /// An optional of a member. If the member does not match its schema, the optional still has a
    /// value, and reading the value fails.
    ///
    /// Source: cel-go `interpreter/attributes.go`, `refQualify` (which finds an element of a list even
    /// if it is an error), and `absoluteAttribute.Resolve`. An `oldSelf` that is an optional is such a
    /// value, too.
    pub fn some_member(member: Result<Value<'a>, EvalError>) -> Self {
        Self::some(member.unwrap_or_else(|error| Self::Opaque(Opaque::Error(error.text().into()))))
    }

    /// `optional.none()`
    pub fn none() -> Self {
        Self::Optional(None)
    }

    /// A JSON value as plain data, without a declaration.
    pub fn undeclared(json: &'a serde_json::Value) -> Self {
        convert::raw(json)
    }

    /// The CEL value of JSON, of the type that `decl` declares.
    ///
    /// # Errors
    /// If the JSON does not match the declaration.
    pub fn declared(json: &'a serde_json::Value, decl: &'a Decl) -> Result<Self, EvalError> {
        convert::typed(json, decl)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The run-time type's name.
    ///
    /// Source: `cel-go/common/types`, `ref.Val.Type().TypeName()`.
    pub fn type_name(&self) -> &'a str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
            Self::Opaque(opaque) => opaque.type_name(),
            Self::Unknown(_) => "unknown",
        }
    }

    /// The same value, with its text borrowed from this one, so that no reference count changes.
    #[inline]
    pub(crate) fn borrowed<'b>(&'b self) -> Value<'b>
    where
        'a: 'b,
    {
        match self {
            Self::String(text) => Value::String(Str::Borrowed(text)),
            Self::Bytes(bytes) => Value::Bytes(Bytes::Borrowed(bytes)),
            Self::Type(name) => Value::Type(Str::Borrowed(name)),
            other => other.clone(),
        }
    }

    /// The value after the server has converted it to plain data: JSON without declarations. An
    /// optional becomes its content, a type its name.
    ///
    /// Source: `ref.Val.Value()` of each type, and `NativeToValue`.
    pub(crate) fn plain(&self) -> Value<'a> {
        match self {
            Self::List(List::Json { items, .. }) => Self::List(List::Raw(items)),
            Self::List(list @ List::Joined(_)) => Self::list(list.plain_items()),
            Self::Map(Map::Object { entries, .. } | Map::Json { entries, .. }) => {
                Self::Map(Map::Raw(entries))
            }
            Self::Optional(inner) => inner.as_ref().map_or(Self::Null, |inner| inner.plain()),
            Self::Type(name) => Self::String(name.clone()),
            Self::Unknown(json) => convert::raw(json),
            Self::Opaque(opaque) => Self::Opaque(opaque.plain()),
            other => other.clone(),
        }
    }

    /// The value as it is taken out of an optional, list or map: [`Opaque::Error`] is returned as an error.
    pub(crate) fn taken_out(&self) -> Result<Value<'a>, EvalError> {
        match self {
            Self::Opaque(Opaque::Error(text)) => Err(EvalError::new(Arc::clone(text))),
            value => Ok(value.clone()),
        }
    }

    /// The name of the Go type of the value, as `%T` prints it.
    pub(crate) fn go_type(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Duration(_) => "types.Duration",
            Self::Timestamp(_) => "types.Timestamp",
            Self::List(List::Json { .. } | List::Joined(_)) => "*common.unstructuredList",
            Self::List(List::Merged(merged)) => match merged.semantics {
                Semantics::Set => "*common.refValSetList",
                Semantics::Map(_) => "*common.refValMapList",
            },
            Self::List(_) => "*types.baseList",
            Self::Map(Map::Object { .. } | Map::Json { .. }) => "*common.unstructuredMap",
            Self::Map(_) => "*types.baseMap",
            Self::Type(_) => "*types.Type",
            Self::Optional(_) => "*types.Optional",
            Self::Opaque(opaque) => opaque.go_type(),
            Self::Unknown(_) => "*common.unknownPreserved",
        }
    }

    /// The size that the run-time cost of a call is computed from: code points, bytes, elements,
    /// entries, an optional's content; 1 for a value without a size.
    ///
    /// Source: `cel-go/interpreter/runtimecost.go`, `actualSize`.
    pub(crate) fn cost_size(&self) -> u64 {
        match self {
            Self::String(text) => code_points(text),
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::List(list) => list.len() as u64,
            Self::Map(map) => map.len() as u64,
            Self::Optional(Some(value)) => value.cost_size(),
            Self::Opaque(opaque) => opaque.cost_size(),
            _ => 1,
        }
    }
}

impl Value<'_> {
    /// The bytes that are freed with the value; 0 if other values share them. Elements are not
    /// included, because they were counted when they were created.
    #[inline]
    pub(crate) fn held_alone(&self) -> u64 {
        match self {
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Uint(_)
            | Self::Double(_)
            | Self::Duration(_)
            | Self::Timestamp(_)
            | Self::Unknown(_)
            | Self::Optional(None)
            | Self::String(Str::Borrowed(_))
            | Self::Type(Str::Borrowed(_)) => 0,
            other => other.arc_held_alone(),
        }
    }

    fn arc_held_alone(&self) -> u64 {
        let (alone, bytes) = match self {
            Self::String(Str::Shared(text)) | Self::Type(Str::Shared(text)) => {
                (Arc::strong_count(text) == 1, text.len())
            }
            Self::Bytes(Bytes::Shared(bytes)) => (Arc::strong_count(bytes) == 1, bytes.len()),
            Self::List(List::Owned(items)) => {
                (Arc::strong_count(items) == 1, items.capacity() * size_of::<Self>())
            }
            Self::List(List::Partial(items)) => {
                (Arc::strong_count(items) == 1, items.capacity() * size_of::<Self>())
            }
            Self::List(List::Merged(merged)) => {
                (Arc::strong_count(merged) == 1, merged.elements.capacity() * size_of::<Self>())
            }
            Self::Map(Map::Owned(map)) => {
                (Arc::strong_count(map) == 1, 2 * map.len() * size_of::<Self>())
            }
            Self::Optional(Some(value)) => (Arc::strong_count(value) == 1, size_of::<Self>()),
            Self::Opaque(opaque) => return if opaque.is_alone() { opaque.held() } else { 0 },
            _ => (false, 0),
        };
        if alone { bytes as u64 + SHARED_TEXT } else { 0 }
    }
}

impl<'a> Str<'a> {
    /// A part of the text as a value: borrowed if the text is.
    pub(crate) fn part(&self, cut: impl for<'t> FnOnce(&'t str) -> &'t str) -> Value<'a> {
        match self {
            Self::Borrowed(text) => Value::str(cut(text)),
            Self::Shared(text) => Value::string(cut(text)),
        }
    }
}

impl std::ops::Deref for Str<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl std::ops::Deref for Bytes<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_and_a_result_are_four_words() {
        assert_eq!(size_of::<Value<'_>>(), 32);
        assert_eq!(size_of::<Result<Value<'_>, EvalError>>(), 32);
    }
}
