//! The errors of strategic merge patches.

use std::fmt;

use serde_json::{Map, Value};

use crate::json::{go_type, to_go_v};

/// The reason why a patch cannot be merged.
///
/// Source: `k8s.io/apimachinery/pkg/util/mergepatch/errors.go`, and the errors of `strategicpatch/patch.go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Malformed {
    /// `$deleteFromPrimitiveList` without the name of a list: `$deleteFromPrimitiveList/finalizers` has one.
    PrimitiveList,
    /// `$retainKeys` is not a list, or a field of the patch is missing in it.
    RetainKeys,
    /// `$setElementOrder` without the name of a list.
    SetElementOrder,
    /// A list contains lists.
    ListOfLists,
    /// An item of a list has the directive `$patch: merge`.
    MergedList,
    /// `$setElementOrder` names a list without items.
    NoElements,
    /// Anything else, in the server's words.
    Other(String),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PrimitiveList => "invalid patch format of primitive list",
            Self::RetainKeys => "invalid patch format of retainKeys",
            Self::SetElementOrder => "invalid patch format of setElementOrder list",
            Self::ListOfLists => "lists of lists are not supported",
            Self::MergedList => "merging lists cannot yet be specified in the patch",
            Self::NoElements => "no elements in any of the given slices",
            Self::Other(text) => text,
        })
    }
}

impl Malformed {
    /// `$patch` has an unknown value. `map` is the object that has the directive.
    pub(super) fn unknown_directive(directive: &Value, map: &Map<String, Value>) -> Self {
        let (directive, map) = (to_go_v(directive), to_go_v(&Value::Object(map.clone())));
        Self::Other(format!("unknown patch type: {directive} in map: {map}"))
    }

    /// A list of objects has no key by which it could be merged. `kind` is the kind of its items in Go, such as
    /// `struct`.
    pub(super) fn no_merge_key_of_list(kind: &str) -> Self {
        Self::Other(format!("cannot merge lists without merge key for {kind}"))
    }

    /// An item of a list does not have the key by which the list is merged.
    pub(super) fn no_merge_key(item: &Value, key: &str) -> Self {
        Self::Other(format!("map: {} does not contain declared merge key: {key}", to_go_v(item)))
    }

    fn type_of_argument(expected: &str, actual: &Value) -> Self {
        // Upstream: the type of a null is nil, which Go's `%s` prints like this.
        let actual = if actual.is_null() { "%!s(<nil>)" } else { go_type(actual) };
        Self::Other(format!("expected a {expected}, but received a {actual}"))
    }
}

/// Returns the items of a list.
pub(super) fn into_items(value: Value) -> Result<Vec<Value>, Malformed> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(Malformed::type_of_argument("[]interface {}", &other)),
    }
}

/// Returns the fields of an object.
pub(super) fn as_map(value: &Value) -> Result<&Map<String, Value>, Malformed> {
    value.as_object().ok_or_else(|| Malformed::type_of_argument("map[string]interface {}", value))
}

/// The type of the items of lists that are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementType {
    Object,
    Scalar,
}

/// Returns the common type of the items of lists; `None` if there are no items.
///
/// Source: `sliceElementType`.
///
/// # Errors
/// If the items are of different types, or lists themselves.
pub(super) fn element_type(lists: &[&[Value]]) -> Result<Option<ElementType>, Malformed> {
    let mut all = lists.iter().copied().flatten();
    let Some(first) = all.next() else { return Ok(None) };
    if first.is_array() {
        return Err(Malformed::ListOfLists);
    }
    if all.any(|item| go_type(item) != go_type(first)) {
        let lists: Vec<String> =
            lists.iter().map(|list| to_go_v(&Value::from(list.to_vec()))).collect();
        let text = format!("list element types are not identical: [{}]", lists.join(" "));
        return Err(Malformed::Other(text));
    }
    Ok(Some(if first.is_object() { ElementType::Object } else { ElementType::Scalar }))
}
