//! Maps and objects: views of JSON, and maps created by operations.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::{Opaque, Value, convert, key};
use crate::decl::{Decl, ObjectDecl};
use crate::domain::netip::{Addr, Prefix};
use crate::error::EvalError;
use crate::escape::{escape, unescape};

/// A JSON object.
type JsonMap = serde_json::Map<String, Json>;

/// The least number of entries of an [`OwnedMap`] that is looked up by hash.
const INDEXED_FROM: usize = 8;

/// A map or object value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Map<'a> {
    /// A JSON object with declared fields.
    Object {
        /// The members.
        entries: &'a JsonMap,
        /// The fields.
        decl: &'a ObjectDecl,
    },
    /// A JSON object with any keys, whose values have one declaration.
    Json {
        /// The members.
        entries: &'a JsonMap,
        /// The declaration of the values.
        value: &'a Decl,
    },
    /// JSON without a declaration.
    Raw(&'a JsonMap),
    /// A map created by an operation.
    Owned(Arc<OwnedMap<'a>>),
}

impl<'a> Map<'a> {
    /// The number of entries; of an object, the number of JSON keys, known or not.
    pub fn len(&self) -> usize {
        match self {
            Self::Object { entries, decl: _ }
            | Self::Json { entries, value: _ }
            | Self::Raw(entries) => entries.len(),
            Self::Owned(map) => map.entries.len(),
        }
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a string key; `None` if it is absent.
    ///
    /// A property of an object that is present and `null` counts as absent.
    ///
    /// # Errors
    /// If the value does not match the declaration.
    pub fn get_str(&self, key: &str) -> Option<Result<Value<'a>, EvalError>> {
        match self {
            Self::Object { entries, decl } => {
                let key = unescape(key)?;
                let value = key::entry(entries, &key).filter(|value| !value.is_null())?;
                Some(convert::typed(value, &decl.property(&key)?.decl))
            }
            Self::Json { entries, value } => {
                key::entry(entries, key).map(|member| convert::typed(member, value))
            }
            Self::Raw(entries) => key::entry(entries, key).map(|member| Ok(convert::raw(member))),
            Self::Owned(map) => map.find_exact(&MapKey::String(key)).map(Value::taken_out),
        }
    }

    /// The value of any key; `None` if it is absent.
    ///
    /// # Errors
    /// If the value does not match the declaration, or the key of a declared map is not a string.
    ///
    /// Source: `Find` of `unstructuredMap` and of cel-go's map accessors.
    pub fn get(&self, key: &Value<'_>) -> Result<Option<Value<'a>>, EvalError> {
        if let Value::String(key) = key {
            return self.get_str(key).transpose();
        }
        match self {
            Self::Object { .. } | Self::Json { .. } => Err(EvalError::NO_SUCH_OVERLOAD),
            Self::Raw(_) => Ok(None),
            Self::Owned(map) if map.is_empty() => Ok(None),
            Self::Owned(map) => {
                hashable(key)?;
                map.find(key).map(Value::taken_out).transpose()
            }
        }
    }

    /// The keys in iteration order: JSON's sorted, others as inserted. Go's order is random.
    ///
    /// An object has the identifiers of its known keys, and then a null for each unknown one.
    pub fn keys(&self) -> Vec<Value<'a>> {
        match self {
            Self::Object { entries, decl } => {
                let known = entries.iter().filter_map(|(key, _)| decl.property(key));
                let mut keys: Vec<_> = known.map(|property| ident(&property.key)).collect();
                keys.resize(entries.len(), Value::Null);
                keys
            }
            Self::Json { entries, value: _ } | Self::Raw(entries) => {
                entries.iter().map(|(key, _)| Value::str(key)).collect()
            }
            Self::Owned(map) => map.entries.iter().map(|(key, _)| key.clone()).collect(),
        }
    }
}

/// The identifier of a property as a value; the property's name if it has none.
fn ident(key: &str) -> Value<'_> {
    match escape(key) {
        Some(std::borrow::Cow::Owned(ident)) => Value::string(ident),
        Some(std::borrow::Cow::Borrowed(ident)) => Value::str(ident),
        None => Value::str(key),
    }
}

/// A map created by an operation, with its entries in insertion order.
#[derive(Debug, Clone, Default)]
pub struct OwnedMap<'a> {
    entries: Vec<(Value<'a>, Value<'a>)>,
    /// The indices of entries by key, once there are [`INDEXED_FROM`] entries.
    index: HashMap<OwnedKey, usize>,
}

/// A key, compared by type and value as in Go's maps of CEL values. NaN, and values that Go compares
/// by address (lists, maps, URLs), have no `MapKey`: they equal no other key, and are never found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum MapKey<'k> {
    Plain(PlainKey),
    Double(f64),
    String(&'k str),
}

/// An indexable [`MapKey`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum OwnedKey {
    Plain(PlainKey),
    /// The bits of the double, which are 0 for -0 too.
    Double(u64),
    String(Arc<str>),
}

/// A key whose value is the same in [`MapKey`] and [`OwnedKey`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PlainKey {
    Null,
    Duration(i64),
    /// Seconds and nanoseconds, and the offset of its zone.
    Timestamp(i64, u32, i32),
    Ip(Addr),
    Cidr(Prefix),
    /// The optional without a value.
    None,
    Bool(bool),
    Int(i64),
    Uint(u64),
}

impl MapKey<'_> {
    fn owned(&self) -> OwnedKey {
        match *self {
            Self::Plain(key) => OwnedKey::Plain(key),
            Self::Double(d) => OwnedKey::Double(if d == 0.0 { 0 } else { d.to_bits() }),
            Self::String(s) => OwnedKey::String(s.into()),
        }
    }
}

fn key_of<'k>(value: &'k Value<'_>) -> Option<MapKey<'k>> {
    Some(MapKey::Plain(match value {
        Value::Double(d) => return (!d.is_nan()).then_some(MapKey::Double(*d)),
        Value::String(s) => return Some(MapKey::String(s)),
        Value::Null => PlainKey::Null,
        Value::Duration(d) => PlainKey::Duration(d.nanos),
        Value::Timestamp(t) => PlainKey::Timestamp(t.seconds, t.nanos, t.offset),
        Value::Optional(None) => PlainKey::None,
        Value::Opaque(Opaque::Ip(addr)) => PlainKey::Ip(*addr),
        Value::Opaque(Opaque::Cidr(prefix)) => PlainKey::Cidr(*prefix),
        Value::Bool(b) => PlainKey::Bool(*b),
        Value::Int(i) => PlainKey::Int(*i),
        Value::Uint(u) => PlainKey::Uint(*u),
        _ => return None,
    }))
}

/// Ends the evaluation at a key that Go cannot use as the key of a map.
pub(crate) fn hashable(key: &Value<'_>) -> Result<(), EvalError> {
    match key {
        Value::Bytes(_) | Value::Opaque(Opaque::Semver(_) | Opaque::Format(_)) => {
            let ty = key.go_type();
            Err(EvalError::internal(&format_args!("runtime error: hash of unhashable type {ty}")))
        }
        _ => Ok(()),
    }
}

impl<'a> OwnedMap<'a> {
    /// A map without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (&Value<'a>, &Value<'a>)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Sets the value of a key; the value of the same key, by type and value, is replaced.
    pub fn insert(&mut self, key: Value<'a>, value: Value<'a>) {
        if let Some(index) = self.index_of(&key) {
            if let Some(entry) = self.entries.get_mut(index) {
                entry.1 = value;
            }
            return;
        }
        self.entries.push((key, value));
        match self.entries.len() {
            0..INDEXED_FROM => {}
            INDEXED_FROM => {
                let keys = self.entries.iter().enumerate();
                self.index = keys
                    .filter_map(|(index, (key, _))| Some((key_of(key)?.owned(), index)))
                    .collect();
            }
            len => {
                if let Some((key, _)) = self.entries.last()
                    && let Some(key) = key_of(key)
                {
                    self.index.insert(key.owned(), len - 1);
                }
            }
        }
    }

    /// Removes a key.
    pub(crate) fn remove(&mut self, key: &Value<'_>) {
        if let Some(index) = self.index_of(key) {
            self.entries.remove(index);
            let entries = std::mem::take(&mut self.entries);
            self.index.clear();
            for (key, value) in entries {
                self.insert(key, value);
            }
        }
    }

    /// The value of a key. An int also finds a uint with that value, and a uint an int; a double
    /// finds either.
    pub(crate) fn find(&self, key: &Value<'_>) -> Option<&Value<'a>> {
        let key = key_of(key)?;
        let plain = |key| self.find_exact(&MapKey::Plain(key));
        self.find_exact(&key).or_else(|| match key {
            MapKey::Plain(PlainKey::Int(i)) => plain(PlainKey::Uint(u64::try_from(i).ok()?)),
            MapKey::Plain(PlainKey::Uint(u)) => plain(PlainKey::Int(i64::try_from(u).ok()?)),
            MapKey::Double(d) => lossless_int(d)
                .and_then(|i| plain(PlainKey::Int(i)))
                .or_else(|| plain(PlainKey::Uint(lossless_uint(d)?))),
            MapKey::Plain(_) | MapKey::String(_) => None,
        })
    }

    /// Whether there is a key of the same type and value.
    pub(crate) fn contains_exactly(&self, key: &Value<'_>) -> bool {
        self.index_of(key).is_some()
    }

    fn find_exact(&self, key: &MapKey<'_>) -> Option<&Value<'a>> {
        let index = self.index_of_key(key)?;
        self.entries.get(index).map(|(_, value)| value)
    }

    fn index_of(&self, key: &Value<'_>) -> Option<usize> {
        self.index_of_key(&key_of(key)?)
    }

    fn index_of_key(&self, key: &MapKey<'_>) -> Option<usize> {
        if self.index.is_empty() {
            self.entries.iter().position(|(other, _)| key_of(other).as_ref() == Some(key))
        } else {
            self.index.get(&key.owned()).copied()
        }
    }
}

/// The int that equals a double, if there is one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "the range is checked, and converting back must give the same double"
)]
pub(crate) fn lossless_int(d: f64) -> Option<i64> {
    let inside = d > i64::MIN as f64 && d < i64::MAX as f64;
    (inside && (d as i64) as f64 == d).then_some(d as i64)
}

/// The uint that equals a double, if there is one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "the range is checked, and converting back must give the same double"
)]
pub(crate) fn lossless_uint(d: f64) -> Option<u64> {
    let inside = d >= 0.0 && d < u64::MAX as f64;
    (inside && (d as u64) as f64 == d).then_some(d as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_maps_find_keys_across_integer_types() {
        for n in [3_u32, 40] {
            let mut map = OwnedMap::new();
            for i in 0..n {
                map.insert(Value::Int(i.into()), Value::Uint(i.into()));
            }
            map.insert(Value::Int(1), Value::Null);
            map.insert(Value::str("a"), Value::Bool(true));
            assert_eq!(map.len(), n as usize + 1);
            assert!(matches!(map.find(&Value::Uint(2)), Some(Value::Uint(2))));
            assert!(matches!(map.find(&Value::Double(1.0)), Some(Value::Null)));
            assert!(map.find(&Value::Double(1.5)).is_none());
            assert!(matches!(map.find(&Value::str("a")), Some(Value::Bool(true))));
            map.remove(&Value::Int(0));
            assert!(map.find(&Value::Int(0)).is_none());
            assert!(matches!(map.find(&Value::Int(2)), Some(Value::Uint(2))));
        }
    }

    #[test]
    fn small_and_large_maps_never_find_nan() {
        for n in [2_u32, 40] {
            let mut map = OwnedMap::new();
            for i in 0..n {
                map.insert(Value::Double(f64::NAN), Value::Uint(i.into()));
            }
            map.insert(Value::Int(1), Value::Null);
            assert_eq!(map.len(), n as usize + 1);
            assert!(map.find(&Value::Double(f64::NAN)).is_none());
            assert!(!map.contains_exactly(&Value::Double(f64::NAN)));
            assert!(matches!(map.find(&Value::Double(1.0)), Some(Value::Null)));
        }
    }
}
