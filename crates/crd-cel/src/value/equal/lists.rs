//! Equality of lists that have a declared list type.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/valuesunstructured.go`, `unstructuredList`,
//! `unstructuredSetList`, `unstructuredMapList`; `valuesreflect.go`, `refValSetList`,
//! `refValMapList`.

use std::collections::{HashMap, HashSet};

use super::super::List;
use super::super::keyed::{element_key, escaped, hashable, json_members, list_type};
use super::super::list::Item;
use super::super::merged::{self, Element, Keys, Merged, Semantics};
use super::super::raw::ScalarKey;
use super::{elements_equal, equals};
use crate::decl::{Decl, ListType};
use crate::error::EvalError;
use crate::minors::Change;
use crate::steps::Steps;

/// `a == b` for a declared list and a list of the same length.
pub(super) fn declared(
    a: &List<'_>,
    decl: &Decl,
    b: &List<'_>,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    steps.take(a.len() as u64)?;
    match list_type(decl) {
        ListType::Atomic | ListType::Invalid(_) => {
            for (a, b) in a.iter().zip(b.iter()) {
                if !elements_equal(a, b, steps)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        ListType::Set if steps.server_has(Change::SetsOfValues) => {
            merged::sets_equal(a.iter(), b.iter())
        }
        ListType::Set => {
            let items = a.items();
            items.iter().try_for_each(hashable)?;
            let set: HashSet<ScalarKey<'_>> = items.iter().filter_map(Item::key).collect();
            for element in b.iter() {
                // Upstream: an element that cannot be converted to its declared type is in no set.
                let Ok(element) = element else { return Ok(false) };
                let element = Item::Value(element);
                hashable(&element)?;
                if !element.key().is_some_and(|key| set.contains(&key)) {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        ListType::Map(keys) => {
            let keys = escaped(keys);
            let items = a.items();
            let mut by_key = HashMap::with_capacity(items.len());
            // An item that is not an object has no key, and equals no element of `b`.
            let mut without_key = 0;
            for item in &items {
                match item.object() {
                    Some(object) => drop(by_key.insert(element_key(object, &keys)?, item)),
                    None => without_key += 1,
                }
            }
            let mut seen = HashSet::new();
            for element in b.iter() {
                let Ok(element) = element else { return Ok(false) };
                let Some(object) = json_members(&element) else { return Ok(false) };
                let key = element_key(object, &keys)?;
                let Some(item) = by_key.get(&key) else {
                    return Ok(false);
                };
                if !equals(&item.value(decl)?, &element, steps)? {
                    return Ok(false);
                }
                seen.insert(key);
            }
            let both_ways = steps.server_has(Change::MapListsCompareBothWays);
            Ok(!both_ways || seen.len() == by_key.len() + without_key)
        }
    }
}

/// `a == b` for lists of the same length, where `a` is the result of `+` on a declared list of type
/// `set` or `map`.
pub(super) fn merged(
    a: &Merged<'_>,
    other: &List<'_>,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    steps.take(other.len() as u64)?;
    let names = match &a.semantics {
        Semantics::Set => return merged::sets_equal(a.elements.iter().cloned(), other.iter()),
        Semantics::Map(names) => names,
    };
    let mut keys = Keys::default();
    let by_key: HashMap<Vec<merged::MergedKey>, &Element<'_>> =
        a.elements.iter().map(|element| (keys.of_map_element(element, names), element)).collect();
    let mut seen = HashSet::new();
    for element in other.iter() {
        let key = keys.of_map_element(&element, names);
        let Some(own) = by_key.get(&key) else { return Ok(false) };
        if !elements_equal((*own).clone(), element, steps)? {
            return Ok(false);
        }
        seen.insert(key);
    }
    Ok(seen.len() == by_key.len())
}
