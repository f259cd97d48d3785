//! Looks up members of values by the qualifiers of a chain: fields, entries and elements.
//!
//! Source: `cel-go/interpreter/attributes.go`, `refQualify`.

use std::sync::Arc;

use serde_json::Value as Json;

use super::Evaluated;
use crate::decl::{Decl, DeclKind, ObjectDecl};
use crate::error::EvalError;
use crate::plan::{FieldKey, Qualifier, QualifierKey};
use crate::value::map::lossless_int;
use crate::value::{List, Map, Opaque, Str, Value, convert, key};

/// The result of looking up a member.
pub(super) enum Lookup<'v> {
    /// The member. An element of a list over JSON may be an error, which counts only when it is
    /// used.
    Found(Evaluated<'v>),
    /// A map or object without the key, or a value without members.
    NoKey(Value<'v>),
    /// A list without the index.
    NoIndex(Value<'v>),
    /// An error.
    Failed(EvalError),
}

/// The JSON that a chain of names selects from a declared object; `None` if a member is absent, or a
/// qualifier is not a name.
#[inline(never)]
pub(super) fn descend<'v>(
    mut entries: &'v serde_json::Map<String, Json>,
    mut decl: &'v ObjectDecl,
    names: &'v [Qualifier],
) -> Option<(&'v Json, &'v Decl)> {
    let mut names = names.iter();
    let mut name = names.next()?;
    loop {
        let (json, decl_of_json) = selected(entries, decl, name)?;
        let Some(next) = names.next() else { return Some((json, decl_of_json)) };
        let (Json::Object(inner), DeclKind::Object(inner_decl)) = (json, &decl_of_json.kind) else {
            return None;
        };
        (entries, decl, name) = (inner, inner_decl, next);
    }
}

/// The member that one name selects.
#[inline]
pub(super) fn selected<'v>(
    entries: &'v serde_json::Map<String, Json>,
    decl: &'v ObjectDecl,
    qualifier: &'v Qualifier,
) -> Option<(&'v Json, &'v Decl)> {
    match qualifier {
        Qualifier { key: QualifierKey::Field(name), optional: false } => {
            property(entries, decl, name)
        }
        _ => None,
    }
}

/// A member by a name that is known when the program is planned.
#[inline]
pub(super) fn field<'v>(object: &Value<'v>, name: &'v FieldKey) -> Lookup<'v> {
    let found = match object {
        Value::Map(Map::Object { entries, decl }) => {
            property(entries, decl, name).map(|(json, decl)| convert::typed(json, decl))
        }
        Value::Map(map) => map.get_str(&name.ident),
        other => return member(other, Value::String(Str::Borrowed(&name.ident))),
    };
    match found {
        Some(Ok(value)) => Lookup::Found(Ok(value)),
        Some(Err(error)) => Lookup::Failed(error),
        None => absent(name),
    }
}

/// The JSON of a property of a declared object, and its declaration; a null is absent.
// PERF: apart, so that what calls it is small enough to be part of the evaluation of a condition.
#[inline(never)]
pub(super) fn property<'v>(
    entries: &'v serde_json::Map<String, Json>,
    decl: &'v ObjectDecl,
    name: &FieldKey,
) -> Option<(&'v Json, &'v Decl)> {
    let key = name.key.as_ref()?;
    let field = match decl.fields.get(name.index_hint) {
        Some(field) if Arc::ptr_eq(&field.key, key) => field,
        _ => decl.property(key)?,
    };
    let json = key::entry(entries, key).filter(|json| !json.is_null())?;
    Some((json, &field.decl))
}

fn absent(name: &FieldKey) -> Lookup<'_> {
    Lookup::NoKey(Value::String(Str::Borrowed(&name.ident)))
}

/// A member by any key.
pub(super) fn member<'v>(object: &Value<'v>, key: Value<'v>) -> Lookup<'v> {
    match object {
        Value::Map(map) => match map.get(&key) {
            Ok(Some(value)) => Lookup::Found(Ok(value)),
            Ok(None) => Lookup::NoKey(key),
            Err(error) => Lookup::Failed(error),
        },
        Value::List(list) => element(list, key),
        Value::Opaque(Opaque::Constructed(value)) => match value.member(&key) {
            Some(value) => Lookup::Found(Ok(value)),
            None => Lookup::NoKey(key),
        },
        _ => Lookup::NoKey(key),
    }
}

fn element<'v>(list: &List<'v>, index: Value<'v>) -> Lookup<'v> {
    let position = match index {
        Value::Int(i) => Some(i),
        Value::Double(d) => lossless_int(d),
        Value::Uint(u) => i64::try_from(u).ok(),
        _ => {
            let name = index.type_name();
            let text = format!("unsupported index type '{name}' in list");
            return Lookup::Failed(EvalError::new(text));
        }
    };
    let Some(position) = position else {
        return Lookup::Failed(EvalError::of(format_args!(
            "unsupported index value {index} in list"
        )));
    };
    match usize::try_from(position).ok().and_then(|at| list.get(at)) {
        // Upstream: lists over JSON take only ints, and test that after the bounds.
        Some(_) if list.is_over_json() && !matches!(index, Value::Int(_)) => {
            Lookup::Found(Err(EvalError::of(format_args!("unsupported index: {index}"))))
        }
        Some(element) => Lookup::Found(element),
        None => Lookup::NoIndex(index),
    }
}
