//! Merges a configuration into an object. Fields that the manager has given up are removed later.
//!
//! Source: structured-merge-diff `typed/merge.go`, with `ruleKeepRHS`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::element::Element;
use super::granularity::{Ownership, PlaceType};

/// Returns the object with the configuration in it. Both must be valid, see [`super::valid`].
pub(super) fn merge(ty: PlaceType<'_>, live: &Value, config: &Value) -> Value {
    value(ty, Some(live), Some(config)).unwrap_or(Value::Null)
}

/// Merges two values; `None` if both are absent, or if nothing is left of their parts.
fn value(ty: PlaceType<'_>, live: Option<&Value>, config: Option<&Value>) -> Option<Value> {
    let whole = || config.or(live).cloned();
    // `null` is merged in the form of the other value.
    let form = config.filter(|config| !config.is_null()).or(live).or(config)?;
    match ty.ownership(form) {
        Ownership::Whole => whole(),
        Ownership::Fields => {
            let (live, config) = (map(live), map(config));
            if live.is_none() && config.is_none() {
                return whole();
            }
            Some(fields(ty, live, config)).filter(|map| !map.is_empty()).map(Value::Object)
        }
        ownership @ (Ownership::Set(items) | Ownership::Map(_, items)) => {
            let (live, config) = (list(live), list(config));
            if live.is_empty() && config.is_empty() {
                return whole();
            }
            let merged = elements(ownership, items, live, config);
            (!merged.is_empty()).then_some(Value::Array(merged))
        }
    }
}

/// Returns the object, or `None` if it is empty.
fn map(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object).filter(|map| !map.is_empty())
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn fields(
    ty: PlaceType<'_>,
    live: Option<&Map<String, Value>>,
    config: Option<&Map<String, Value>>,
) -> Map<String, Value> {
    let names: BTreeSet<&String> = live.into_iter().chain(config).flat_map(Map::keys).collect();
    let merged = names.into_iter().filter_map(|name| {
        let (live, config) =
            (live.and_then(|live| live.get(name)), config.and_then(|config| config.get(name)));
        Some((name.clone(), value(ty.field(name).ty, live, config)?))
    });
    merged.collect()
}

/// Returns the items of both lists; an item that both have occurs once. They have the order of the configuration; items
/// of the object alone keep their places between the items that both have. Source: `visitListItems`.
fn elements(
    ownership: Ownership<'_>,
    items: PlaceType<'_>,
    live: &[Value],
    config: &[Value],
) -> Vec<Value> {
    let live = named(ownership, live);
    let config = named(ownership, config);
    let mut of_live: BTreeMap<&Element, &Value> = BTreeMap::new();
    for (name, item) in &live {
        // Items that occur several times in the object are not merged with that of the configuration, but replaced.
        // Source: `indexListPathElements`.
        of_live.entry(name).and_modify(|known| *known = &Value::Null).or_insert(item);
    }
    let of_config: BTreeSet<&Element> = config.iter().map(|(name, _)| name).collect();
    let shared = config.iter().map(|(name, _)| name).filter(|name| of_live.contains_key(name));
    let mut shared: VecDeque<&Element> = shared.collect();
    let mut next = shared.pop_front();
    let mut done = BTreeSet::new();
    let mut merged = Vec::new();
    let (mut left, mut right) = (0, 0);
    loop {
        let (ours, theirs) = (live.get(left), config.get(right));
        match (ours, theirs) {
            (None, None) => return merged,
            (Some((name, _)), Some((wanted, new))) if name == wanted => {
                done.insert(name);
                merged.extend(value(items, of_live.get(name).copied(), Some(new)));
                next = shared.pop_front();
                (left, right) = (left + 1, right + 1);
                continue;
            }
            (Some((name, _)), Some(_))
                if of_config.contains(name) && next.is_some_and(|next| next != name) =>
            {
                // Both lists have the item, but another one comes before it in the configuration.
                left += 1;
                continue;
            }
            _ => {}
        }
        if let Some((name, item)) = ours {
            if !of_config.contains(name) {
                merged.extend(value(items, Some(item), None));
                left += 1;
                continue;
            }
            if done.contains(name) {
                left += 1;
            }
        }
        if let Some((name, new)) = theirs {
            done.insert(name);
            merged.extend(value(items, of_live.get(name).copied(), Some(new)));
            right += 1;
            if next == Some(name) {
                next = shared.pop_front();
            }
        }
    }
}

/// Returns the items with their path elements.
fn named<'a>(ownership: Ownership<'_>, list: &'a [Value]) -> Vec<(Element, &'a Value)> {
    let name = |item| Some((ownership.element(item)?, item));
    list.iter().filter_map(name).collect()
}
