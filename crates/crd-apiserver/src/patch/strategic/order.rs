//! The order of the items of a merged list: items of the patch have the order of the patch, the others that of the list
//! on the server.

use std::collections::VecDeque;

use serde_json::Value;

use super::malformed::{Malformed, as_map};
use crate::json::to_go_v;

/// Checks that the items of a patch are in the order that `$setElementOrder` sets for the list.
///
/// Source: `validatePatchWithSetOrderList`.
pub(super) fn validate(
    patch: &[Value],
    order: &[Value],
    key: Option<&str>,
) -> Result<(), Malformed> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    if key.is_some() {
        patch.iter().try_for_each(|item| as_map(item).map(drop))?;
    }
    // Upstream: items with `$patch: delete` are removed beforehand, but only from lists of objects. Other items with a
    // directive are skipped, but only as long as the order has items left.
    let is_deleted =
        |item: &&Value| key.is_some() && item.get("$patch").is_some_and(|it| it == "delete");
    let mut items = patch.iter().filter(|item| !is_deleted(item)).peekable();
    let mut ordered = order.iter().peekable();
    while let (Some(item), Some(next)) = (items.peek(), ordered.peek()) {
        if item.get("$patch").is_some() {
            items.next();
            continue;
        }
        if id_of(item, key)? == id_of(next, key)? {
            items.next();
        }
        ordered.next();
    }
    if items.peek().is_none() {
        return Ok(());
    }
    let (patch, order) = (to_go_v(&patch.to_vec().into()), to_go_v(&order.to_vec().into()));
    Err(Malformed::Other(format!(
        "The order in patch list:\n{patch}\n doesn't match $setElementOrder list:\n{order}\n"
    )))
}

/// Splits a list into the items that are also in `by`, and the others.
///
/// Source: `partitionPrimitivesByPresentInList`, `partitionMapsByPresentInList`.
pub(super) fn partition(
    list: Vec<Value>,
    by: &[Value],
    key: Option<&str>,
) -> Result<(Vec<Value>, Vec<Value>), Malformed> {
    let (mut among, mut others) = (Vec::new(), Vec::new());
    for item in list {
        id_of(&item, key)?;
        if index(by, &item, key).is_some() { among.push(item) } else { others.push(item) }
    }
    Ok((among, others))
}

/// Sorts the items of a patch by `patch_order` and those of the server by `server_order`, and merges both lists.
///
/// Source: `normalizeElementOrder`.
pub(super) fn normalize(
    mut patch: Vec<Value>,
    mut server: Vec<Value>,
    patch_order: &[Value],
    server_order: &[Value],
    key: Option<&str>,
) -> Result<Vec<Value>, Malformed> {
    for item in patch.iter().chain(patch_order).chain(&server).chain(server_order) {
        id_of(item, key)?;
    }
    patch.sort_by_key(|item| index(patch_order, item, key));
    server.sort_by_key(|item| index(server_order, item, key));
    Ok(merge_sorted(server, patch, server_order, key))
}

/// Merges two lists: each item of the server is put before the first item of the patch that follows it in
/// `server_order`. With the order `a b c d`, the items `a c` of the server and `d b` of the patch become `a c d b`.
///
/// Source: `mergeSortedSlice`.
fn merge_sorted(
    server: Vec<Value>,
    patch: Vec<Value>,
    server_order: &[Value],
    key: Option<&str>,
) -> Vec<Value> {
    let mut server = VecDeque::from(server);
    let mut out = Vec::with_capacity(server.len() + patch.len());
    for item in patch {
        let at = index(server_order, &item, key);
        while let (Some(first), Some(at)) = (server.front(), at)
            && index(server_order, first, key).is_some_and(|first| first < at)
        {
            out.extend(server.pop_front());
        }
        out.push(item);
    }
    out.extend(server);
    out
}

/// Removes repeated scalars. As upstream, the last item of the list takes the place of a removed one: `a b a c` becomes
/// `a b c`, and `a a b c` becomes `a c b`.
///
/// Source: `deduplicateScalars`.
pub(super) fn without_duplicates(mut items: Vec<Value>) -> Vec<Value> {
    let mut i = 0;
    while i < items.len() {
        let mut j = i + 1;
        while j < items.len() {
            if items[i] == items[j] {
                items.swap_remove(j);
            } else {
                j += 1;
            }
        }
        i += 1;
    }
    items
}

/// Returns what identifies an item: the value of its key, or the item itself if there is no key.
///
/// # Errors
/// If the item is not an object, or does not have the key.
fn id_of<'v>(item: &'v Value, key: Option<&str>) -> Result<&'v Value, Malformed> {
    let Some(key) = key else { return Ok(item) };
    as_map(item)?.get(key).ok_or_else(|| Malformed::no_merge_key(item, key))
}

fn index(list: &[Value], item: &Value, key: Option<&str>) -> Option<usize> {
    let id = id_of(item, key).ok()?;
    list.iter().position(|other| id_of(other, key).is_ok_and(|other| other == id))
}
