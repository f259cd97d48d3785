//! The path elements of the items of a list.
//!
//! Source: structured-merge-diff `typed/helpers.go`, `listItemToPathElement`.

use serde_json::{Map, Value};

use super::element::Element;
use super::granularity::PlaceType;

/// Returns the path element of an item of a `map` list. An absent key has its default; without a default it is left
/// out.
pub(super) fn key_of(
    item: &Value,
    keys: &[String],
    items: PlaceType<'_>,
) -> Result<Element, String> {
    let item = item.as_object().ok_or("is not an object")?;
    let mut values = Map::new();
    for key in keys {
        if let Some(value) = item.get(key).or_else(|| items.default_of(key)) {
            values.insert(key.clone(), value.clone());
        }
    }
    if values.is_empty() {
        return Err(format!("has none of the keys {}", keys.join(", ")));
    }
    Ok(Element::key(values))
}
