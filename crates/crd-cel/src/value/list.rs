//! Lists: views of JSON, and results of operations.

use std::sync::Arc;

use serde_json::Value as Json;

use super::merged::Merged;
use super::{Value, convert};
use crate::decl::Decl;
use crate::error::EvalError;

/// A list value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum List<'a> {
    /// A declared JSON list; elements are converted on access.
    Json {
        /// The elements.
        items: &'a Vec<Json>,
        /// The list's declaration, of kind `List`.
        decl: &'a Decl,
    },
    /// JSON without a declaration.
    Raw(&'a Vec<Json>),
    /// The result of an operation.
    Owned(Arc<Vec<Value<'a>>>),
    /// The result of an operation on a list with elements that are errors.
    Partial(Arc<Vec<Result<Value<'a>, EvalError>>>),
    /// A declared JSON list with added elements, which keeps the declaration.
    Joined(Arc<Joined<'a>>),
    /// A declared list of type `set` or `map` with added elements, as CEL values.
    Merged(Arc<Merged<'a>>),
}

/// A declared list and the elements added to it.
#[derive(Debug)]
pub struct Joined<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) decl: &'a Decl,
}

/// An element of a [`Joined`] list. JSON and added elements are both converted by the declaration on access.
#[derive(Debug, Clone)]
pub(super) enum Item<'a> {
    Json(&'a Json),
    Value(Value<'a>),
    /// The error of an element that does not match its declaration, which the server keeps in the list.
    Wrong,
}

impl<'a> List<'a> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Json { items, decl: _ } | Self::Raw(items) => items.len(),
            Self::Owned(items) => items.len(),
            Self::Partial(items) => items.len(),
            Self::Joined(joined) => joined.items.len(),
            Self::Merged(merged) => merged.elements.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index; `None` past the end.
    ///
    /// # Errors
    /// If the element does not match its declaration.
    pub fn get(&self, index: usize) -> Option<Result<Value<'a>, EvalError>> {
        match self {
            Self::Json { items, decl } => {
                let item = items.get(index)?;
                Some(match decl.element() {
                    Some(element) => convert::typed(item, element),
                    None => Ok(Value::Unknown(item)),
                })
            }
            Self::Raw(items) => items.get(index).map(|item| Ok(convert::raw(item))),
            Self::Owned(items) => items.get(index).map(Value::taken_out),
            Self::Partial(items) => items.get(index).cloned(),
            Self::Merged(merged) => merged.elements.get(index).cloned(),
            Self::Joined(joined) => {
                let item = joined.items.get(index)?;
                Some(match (item, joined.decl.element()) {
                    (Item::Json(json), Some(element)) => convert::typed(json, element),
                    (Item::Value(value), Some(element)) => convert::retyped(value, element),
                    (Item::Json(json), None) => Ok(convert::raw(json)),
                    (Item::Value(value), None) => Ok(value.clone()),
                    (Item::Wrong, Some(element)) => Err(convert::wrong(element)),
                    (Item::Wrong, None) => Ok(Value::Null),
                })
            }
        }
    }

    /// A list of elements. As on the server, an element that is an error keeps its index, and using it returns the
    /// error.
    pub(crate) fn of(elements: Vec<Result<Value<'a>, EvalError>>) -> Self {
        if elements.iter().all(Result::is_ok) {
            Self::Owned(Arc::new(elements.into_iter().filter_map(Result::ok).collect()))
        } else {
            Self::Partial(Arc::new(elements))
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Result<Value<'a>, EvalError>> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// The declaration of a list over JSON, which decides equality and concatenation.
    pub(super) fn declared(&self) -> Option<&'a Decl> {
        match self {
            Self::Json { decl, items: _ } => Some(decl),
            Self::Joined(joined) => Some(joined.decl),
            Self::Raw(_) | Self::Owned(_) | Self::Partial(_) | Self::Merged(_) => None,
        }
    }

    /// The elements as plain data.
    pub(super) fn plain_items(&self) -> Vec<Value<'a>> {
        let plain = |item| match item {
            Item::Json(json) => convert::raw(json),
            Item::Value(value) => value.plain(),
            Item::Wrong => Value::Null,
        };
        self.items().into_iter().map(plain).collect()
    }

    /// Whether it is a list over declared JSON.
    pub(crate) fn is_over_json(&self) -> bool {
        self.declared().is_some()
    }

    /// The elements before conversion, of a declared list.
    pub(super) fn items(&self) -> Vec<Item<'a>> {
        match self {
            Self::Json { items, decl: _ } | Self::Raw(items) => {
                items.iter().map(Item::Json).collect()
            }
            Self::Joined(joined) => joined.items.clone(),
            Self::Owned(items) => items.iter().cloned().map(Item::Value).collect(),
            Self::Partial(items) => partial(items),
            Self::Merged(merged) => partial(&merged.elements),
        }
    }
}

fn partial<'a>(items: &[Result<Value<'a>, EvalError>]) -> Vec<Item<'a>> {
    items.iter().map(|item| item.clone().map_or(Item::Wrong, Item::Value)).collect()
}
