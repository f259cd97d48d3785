//! Folds constants when a program is planned.
//!
//! Source: `cel-go/interpreter/decorators.go`, `decOptimize`.

use super::node::Node;
use crate::error::EvalError;
use crate::syntax::Literal;
use crate::value::literal::{push_element, push_entry};
use crate::value::map::{lossless_int, lossless_uint};
use crate::value::{Bytes, List, Map, OwnedMap, Str, Value};

/// The value of a literal.
pub(super) fn literal(literal: &Literal) -> Value<'static> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(b) => Value::Bool(*b),
        Literal::Int(i) => Value::Int(*i),
        Literal::Uint(u) => Value::Uint(*u),
        Literal::Double(d) => Value::Double(*d),
        Literal::String(text) => Value::String(Str::Shared(text.clone())),
        Literal::Bytes(bytes) => Value::Bytes(Bytes::Shared(bytes.clone())),
    }
}

/// The constants or errors of nodes; `None` if one of the nodes is not a constant.
fn constants<'n>(
    nodes: impl Iterator<Item = &'n Node>,
) -> Option<Vec<&'n Result<Value<'static>, EvalError>>> {
    nodes
        .map(|node| match node {
            Node::Constant(constant) => Some(constant),
            _ => None,
        })
        .collect()
}

/// A list literal, which is a constant if its elements are constants.
pub(super) fn folded_list(elements: Vec<(Node, bool)>) -> Node {
    let Some(values) = constants(elements.iter().map(|(node, _)| node)) else {
        return Node::List(elements.into());
    };
    let mut items = Vec::with_capacity(values.len());
    for (value, (_, optional)) in values.into_iter().zip(&elements) {
        let added = value.clone().and_then(|v| push_element(&mut items, v, *optional));
        if let Err(error) = added {
            return Node::Constant(Err(error));
        }
    }
    Node::Constant(Ok(Value::list(items)))
}

/// A map literal, which is a constant if its entries are constants.
pub(super) fn folded_map(entries: Vec<(Node, Node, bool)>) -> Node {
    let keys = constants(entries.iter().map(|(key, _, _)| key));
    let values = constants(entries.iter().map(|(_, value, _)| value));
    let (Some(keys), Some(values)) = (keys, values) else {
        return Node::Map(entries.into());
    };
    let mut map = OwnedMap::new();
    for ((key, value), (_, _, optional)) in keys.into_iter().zip(values).zip(&entries) {
        let added = match (key, value) {
            (Ok(key), Ok(value)) => push_entry(&mut map, key.clone(), value.clone(), *optional),
            (Err(error), _) | (_, Err(error)) => Err(error.clone()),
        };
        if let Err(error) = added {
            return Node::Constant(Err(error));
        }
    }
    Node::Constant(Ok(Value::map(map)))
}

/// Whether a node is the constant `[]`.
pub(super) fn is_empty_list(node: &Node) -> bool {
    matches!(node, Node::Constant(Ok(Value::List(List::Owned(items)))) if items.is_empty())
}

/// Whether a node is the constant `{}`.
pub(super) fn is_empty_map(node: &Node) -> bool {
    matches!(node, Node::Constant(Ok(Value::Map(Map::Owned(map)))) if map.is_empty())
}

/// Plans `x in [constants]` as a lookup in a set, which has each number in all types that can hold
/// it. Returns the item if the list is not a constant or has elements other than scalars.
///
/// Source: `maybeOptimizeSetMembership`.
pub(super) fn member(item: Node, list: &Node) -> Result<Node, Node> {
    let Node::Constant(Ok(Value::List(List::Owned(items)))) = list else {
        return Err(item);
    };
    if items.is_empty() {
        return Ok(Node::Constant(Ok(Value::Bool(false))));
    }
    let mut set = OwnedMap::new();
    let mut add = |value: Value<'static>| set.insert(value, Value::Bool(true));
    for element in items.iter() {
        match element {
            Value::Bool(_) | Value::String(_) => {}
            Value::Int(i) => {
                add(double_of_int(*i));
                u64::try_from(*i).ok().map(Value::Uint).map(&mut add);
            }
            Value::Uint(u) => {
                add(double_of_uint(*u));
                i64::try_from(*u).ok().map(Value::Int).map(&mut add);
            }
            Value::Double(d) => {
                lossless_int(*d).map(Value::Int).map(&mut add);
                lossless_uint(*d).map(Value::Uint).map(&mut add);
            }
            _ => return Err(item),
        }
        add(element.clone());
    }
    Ok(Node::Member(Box::new((item, set))))
}

#[expect(clippy::cast_precision_loss, reason = "as cel-go does")]
fn double_of_int(i: i64) -> Value<'static> {
    Value::Double(i as f64)
}

#[expect(clippy::cast_precision_loss, reason = "as cel-go does")]
fn double_of_uint(u: u64) -> Value<'static> {
    Value::Double(u as f64)
}
