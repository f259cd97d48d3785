//! Lists: views of JSON, and lists that operations made.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Value, convert};
use crate::decl::Decl;
use crate::error::EvalError;

/// A list value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum List<'a> {
    /// A declared JSON list; elements are converted when touched.
    Json {
        /// The elements.
        items: &'a Vec<Json>,
        /// The list's declaration, of kind `List`.
        decl: &'a Decl,
    },
    /// JSON without a declaration.
    Raw(&'a Vec<Json>),
    /// A list that an operation made.
    Owned(Arc<Vec<Value<'a>>>),
}

impl<'a> List<'a> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Json { items, decl: _ } | Self::Raw(items) => items.len(),
            Self::Owned(items) => items.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index; `None` past the end.
    ///
    /// # Errors
    /// Where the element is not what the declaration says.
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
            Self::Owned(items) => items.get(index).map(|item| Ok(item.clone())),
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Result<Value<'a>, EvalError>> {
        (0..self.len()).map_while(|index| self.get(index))
    }
}
