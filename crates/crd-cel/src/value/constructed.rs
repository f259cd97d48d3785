//! The objects and operations that an expression of a mutating admission policy constructs:
//! `Object{spec: Object.spec{replicas: 1}}` and `JSONPatch{op: "remove", path: "/a"}`.
//!
//! Source: `k8s.io/apiserver/pkg/cel/mutation`.

use std::sync::Arc;

use super::{Opaque, SHARED_TEXT, Value, convert, equal};
use crate::error::EvalError;
use crate::steps::Steps;
use crate::types::Type;

/// The type of the operations of JSON patches.
pub const JSON_PATCH: &str = "JSONPatch";
/// The type of whole objects. The type of a field is named after its path: `Object.spec.template`.
pub const OBJECT: &str = "Object";

/// The fields of an operation that are strings.
const TEXTS: [&str; 3] = ["op", "path", "from"];

/// An object or an operation.
#[derive(Debug)]
pub struct Constructed<'a> {
    pub(super) name: &'a str,
    pub(super) fields: Vec<(&'a str, Value<'a>)>,
}

/// Whether expressions of patches can construct a type of this name.
pub(crate) fn is_type(name: &str) -> bool {
    let path = name.strip_prefix(OBJECT);
    name == JSON_PATCH || path.is_some_and(|path| path.is_empty() || path.starts_with('.'))
}

/// The type of a field; `None` if the type has no such field. Objects may have any fields.
pub(crate) fn field_type(name: &str, field: &str) -> Option<Type> {
    match field {
        _ if name != JSON_PATCH => Some(Type::Dyn),
        "value" => Some(Type::Dyn),
        _ => TEXTS.contains(&field).then_some(Type::String),
    }
}

/// Constructs a value.
///
/// # Errors
/// If a field of an operation is not a string, which the checker does not see if its type is `dyn`.
pub(crate) fn of<'a>(
    name: &'a str,
    fields: Vec<(&'a str, Value<'a>)>,
) -> Result<Value<'a>, EvalError> {
    let is_wrong = |(field, value): &&(&str, Value<'_>)| {
        name == JSON_PATCH && TEXTS.contains(field) && !matches!(value, Value::String(_))
    };
    if let Some((field, value)) = fields.iter().find(is_wrong) {
        let ty = convert::go_type_of(value);
        return Err(EvalError::of(format_args!(
            "unexpected type {ty} for JSONPatchType '{field}' field"
        )));
    }
    Ok(Value::Opaque(Opaque::Constructed(Arc::new(Constructed { name, fields }))))
}

impl<'a> Constructed<'a> {
    /// The value of a field; `None` if the expression has not set it.
    pub fn field(&self, name: &str) -> Option<&Value<'a>> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// A member that an expression selects. Upstream: an object has none, although the checker lets
    /// all names pass; the unset strings of an operation are empty.
    pub(crate) fn member(&self, key: &Value<'_>) -> Option<Value<'a>> {
        let key = key.as_str().filter(|_| self.name == JSON_PATCH)?;
        let unset = || TEXTS.contains(&key).then(|| Value::str(""));
        self.field(key).cloned().or_else(unset)
    }

    /// The bytes that a value with a number of fields takes.
    pub(crate) fn bytes(fields: usize) -> u64 {
        (size_of::<Self>() + fields * size_of::<(&str, Value<'_>)>()) as u64 + SHARED_TEXT
    }

    pub(super) fn held(&self) -> u64 {
        Self::bytes(self.fields.len())
    }

    pub(super) fn go_type(&self) -> &'static str {
        if self.name == JSON_PATCH { "*mutation.JSONPatchVal" } else { "*dynamic.ObjectVal" }
    }

    /// Whether it is an object without fields, which counts as a zero value.
    pub(crate) fn is_zero(&self) -> bool {
        self.name != JSON_PATCH && self.fields.is_empty()
    }

    /// Whether another value has the same type and equal fields.
    ///
    /// # Errors
    /// If values of fields cannot be compared.
    pub(super) fn equals(&self, other: &Value<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
        let Value::Opaque(Opaque::Constructed(other)) = other else { return Ok(false) };
        if self.name != other.name || self.fields.len() != other.fields.len() {
            return Ok(false);
        }
        for (field, value) in &self.fields {
            steps.take(1)?;
            let Some(other) = other.field(field) else { return Ok(false) };
            if value.type_name() != other.type_name() || !equal::equals(value, other, steps)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
