//! Maps and objects: views of JSON, and maps that operations made.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Value, convert};
use crate::decl::{Decl, ObjectDecl, unescape};
use crate::error::EvalError;

/// A JSON object.
type JsonMap = serde_json::Map<String, Json>;

/// A map or object value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Map<'a> {
    /// A JSON object of declared fields.
    Object {
        /// The members.
        entries: &'a JsonMap,
        /// The fields.
        decl: &'a ObjectDecl,
    },
    /// A JSON object of undeclared keys with like values.
    Json {
        /// The members.
        entries: &'a JsonMap,
        /// The declaration of the values.
        value: &'a Decl,
    },
    /// JSON without a declaration.
    Raw(&'a JsonMap),
    /// A map that an operation made.
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

    /// The value of a string key; `None` where it is absent.
    ///
    /// A property of an object that is present and `null` counts as absent.
    ///
    /// # Errors
    /// Where the value is not what the declaration says.
    pub fn get_str(&self, key: &str) -> Option<Result<Value<'a>, EvalError>> {
        match self {
            Self::Object { entries, decl } => {
                let key = unescape(key)?;
                let field = decl.field_by_key(&key)?;
                let value = entries.get(&*key).filter(|value| !value.is_null())?;
                Some(convert::typed(value, &field.decl))
            }
            Self::Json { entries, value } => {
                entries.get(key).map(|member| convert::typed(member, value))
            }
            Self::Raw(entries) => entries.get(key).map(|member| Ok(convert::raw(member))),
            Self::Owned(map) => map.get_str(key).map(|value| Ok(value.clone())),
        }
    }
}

/// A map that an operation made: entries in insertion order, keys unique.
#[derive(Debug, Clone, Default)]
pub struct OwnedMap<'a> {
    entries: Vec<(Value<'a>, Value<'a>)>,
}

impl<'a> OwnedMap<'a> {
    /// A map without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// The entries in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (&Value<'a>, &Value<'a>)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Sets the value of a key that is a bool, int, uint, double or string; an equal key is replaced.
    pub fn insert(&mut self, key: Value<'a>, value: Value<'a>) {
        match self.entries.iter_mut().find(|(old, _)| same_key(old, &key)) {
            Some((_, old)) => *old = value,
            None => self.entries.push((key, value)),
        }
    }

    fn get_str(&self, key: &str) -> Option<&Value<'a>> {
        self.entries.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
    }
}

/// Whether two keys are the same Go map key: of the same type and equal.
fn same_key(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Uint(a), Value::Uint(b)) => a == b,
        (Value::Double(a), Value::Double(b)) => a == b,
        (Value::String(a), Value::String(b)) => **a == **b,
        _ => false,
    }
}
