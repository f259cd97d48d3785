//! JSON Patch as the server implements it: RFC 6902, with the deviations of its library.
//!
//! For example, a `test` of an absent member succeeds if the expected value is null, and index -1 is the last element.
//!
//! Source: `gopkg.in/evanphx/json-patch.v4`.

use serde_json::Value;

use crate::json;

/// The operations of a patch.
#[derive(Debug, Clone)]
pub(super) struct JsonPatch(Vec<PatchOperation>);

#[derive(Debug, Clone)]
struct PatchOperation {
    op: String,
    path: Option<String>,
    from: Option<String>,
    value: Option<Value>,
}

/// The error of an operation that does not apply. The server does not give the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DoesNotApply;

impl JsonPatch {
    /// Parses operations. A missing or unknown `op` or a missing path is an error only in [`JsonPatch::apply`].
    ///
    /// # Errors
    /// Returns the message of Go's decoder if an operation is not an object.
    pub(super) fn read(operations: &[Value]) -> Result<Self, String> {
        let read = |operation: &Value| {
            let Value::Object(map) = operation else {
                let kind = crate::object_meta::json_kind(operation);
                return Err(format!(
                    "json: cannot unmarshal {kind} into Go value of type jsonpatch.Operation"
                ));
            };
            let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
            Ok(PatchOperation {
                op: text("op").unwrap_or_default(),
                path: text("path"),
                from: text("from"),
                value: map.get("value").cloned(),
            })
        };
        Ok(Self(operations.iter().map(read).collect::<Result<_, String>>()?))
    }

    /// Returns the document with all operations applied, in order.
    ///
    /// # Errors
    /// Returns an error if one of them does not apply.
    pub(super) fn apply(&self, document: &Value) -> Result<Value, DoesNotApply> {
        let mut document = document.clone();
        for operation in &self.0 {
            operation.apply(&mut document)?;
        }
        Ok(document)
    }
}

impl PatchOperation {
    fn apply(&self, document: &mut Value) -> Result<(), DoesNotApply> {
        let path = self.path.as_deref().ok_or(DoesNotApply)?;
        let value = || self.value.clone().unwrap_or(Value::Null);
        match self.op.as_str() {
            "add" => add(document, path, value()),
            "remove" => remove(document, path).map(drop),
            "replace" => {
                let (parent, key) = find_mut(document, path).ok_or(DoesNotApply)?;
                if let Value::Object(map) = parent {
                    // Upstream: only an element of a list must exist to be replaced.
                    map.insert(key, value());
                    return Ok(());
                }
                let place = child_mut(parent, &key).ok_or(DoesNotApply)?;
                *place = value();
                Ok(())
            }
            "move" => {
                let moved = remove(document, self.from.as_deref().ok_or(DoesNotApply)?)?;
                add(document, path, moved)
            }
            "copy" => {
                let from = self.from.as_deref().ok_or(DoesNotApply)?;
                let (parent, key) = find(document, from).ok_or(DoesNotApply)?;
                let copied = match child(parent, &key) {
                    Some(found) => found.clone(),
                    // Upstream: an absent member is copied as null.
                    None if parent.is_object() => Value::Null,
                    None => return Err(DoesNotApply),
                };
                add(document, path, copied)
            }
            "test" => {
                let (parent, key) = find(document, path).ok_or(DoesNotApply)?;
                let is_list = parent.is_array();
                let found = child(parent, &key);
                if found.is_none() && is_list {
                    return Err(DoesNotApply);
                }
                let found = found.unwrap_or(&Value::Null);
                let wanted = value();
                if json::equal(found, &wanted) { Ok(()) } else { Err(DoesNotApply) }
            }
            _ => Err(DoesNotApply),
        }
    }
}

/// Returns the keys of a path: `a` and `b/c` for `/a/b~1c`; `None` for an empty path.
fn keys(path: &str) -> Option<Vec<String>> {
    let mut parts = path.split('/');
    parts.next()?;
    let keys: Vec<String> = parts.map(|key| key.replace("~1", "/").replace("~0", "~")).collect();
    (!keys.is_empty()).then_some(keys)
}

/// Returns the parent of the value that a path names, and the last key of the path.
fn find<'v>(document: &'v Value, path: &str) -> Option<(&'v Value, String)> {
    let mut keys = keys(path)?;
    let last = keys.pop()?;
    let mut at = document;
    for key in &keys {
        at = child(at, key)?;
    }
    (at.is_object() || at.is_array()).then_some((at, last))
}

fn find_mut<'v>(document: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let mut keys = keys(path)?;
    let last = keys.pop()?;
    let mut at = document;
    for key in &keys {
        at = child_mut(at, key)?;
    }
    (at.is_object() || at.is_array()).then_some((at, last))
}

fn child<'v>(parent: &'v Value, key: &str) -> Option<&'v Value> {
    match parent {
        Value::Object(map) => map.get(key),
        Value::Array(list) => list.get(index(key, list.len())?),
        _ => None,
    }
}

fn child_mut<'v>(parent: &'v mut Value, key: &str) -> Option<&'v mut Value> {
    match parent {
        Value::Object(map) => map.get_mut(key),
        Value::Array(list) => {
            let at = index(key, list.len())?;
            list.get_mut(at)
        }
        _ => None,
    }
}

/// Parses an index into a list of `length` elements, of which -1 is the last one. The result may be out of bounds.
fn index(key: &str, length: usize) -> Option<usize> {
    let index: i64 = key.parse().ok()?;
    if index < 0 {
        let back = usize::try_from(index.unsigned_abs()).ok()?;
        return length.checked_sub(back);
    }
    usize::try_from(index).ok()
}

fn add(document: &mut Value, path: &str, value: Value) -> Result<(), DoesNotApply> {
    if path.is_empty() {
        // Upstream: the whole document cannot be replaced.
        return Err(DoesNotApply);
    }
    let (parent, key) = find_mut(document, path).ok_or(DoesNotApply)?;
    match parent {
        Value::Object(map) => {
            map.insert(key, value);
        }
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => {
            // A value can also be added after the last element.
            let at = index(&key, list.len() + 1).filter(|at| *at <= list.len());
            list.insert(at.ok_or(DoesNotApply)?, value);
        }
        _ => return Err(DoesNotApply),
    }
    Ok(())
}

fn remove(document: &mut Value, path: &str) -> Result<Value, DoesNotApply> {
    let (parent, key) = find_mut(document, path).ok_or(DoesNotApply)?;
    match parent {
        Value::Object(map) => map.remove(&key).ok_or(DoesNotApply),
        Value::Array(list) => {
            let at = index(&key, list.len()).filter(|at| *at < list.len());
            Ok(list.remove(at.ok_or(DoesNotApply)?))
        }
        _ => Err(DoesNotApply),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(patch: &Value, want: impl Into<Option<Value>>) {
        let document = json!({"a": {"b": [1, 2]}, "n": null, "x/y": 1});
        let patch = JsonPatch::read(patch.as_array().expect("a list")).expect("a patch");
        assert_eq!(patch.apply(&document).ok(), want.into());
    }

    fn with(pointer: &str, value: Value) -> Option<Value> {
        let mut document = json!({"a": {"b": [1, 2]}, "n": null, "x/y": 1});
        *document.pointer_mut(pointer)? = value;
        Some(document)
    }

    #[test]
    fn operations() {
        check(
            &json!([{"op": "add", "path": "/a/b/-", "value": 3}]),
            with("/a/b", json!([1, 2, 3])),
        );
        check(
            &json!([{"op": "add", "path": "/a/b/0", "value": 3}]),
            with("/a/b", json!([3, 1, 2])),
        );
        check(
            &json!([{"op": "add", "path": "/a/b/2", "value": 3}]),
            with("/a/b", json!([1, 2, 3])),
        );
        check(&json!([{"op": "add", "path": "/a/b/3", "value": 3}]), None);
        check(&json!([{"op": "add", "path": "/z/b", "value": 3}]), None);
        check(&json!([{"op": "remove", "path": "/a/b/-1"}]), with("/a/b", json!([1])));
        check(&json!([{"op": "remove", "path": "/a/b/2"}]), None);
        check(&json!([{"op": "remove", "path": "/a/c"}]), None);
        check(&json!([{"op": "replace", "path": "/x~1y", "value": 2}]), with("/x~1y", json!(2)));
        // `replace` creates an absent member and `copy` copies it as null; both fail for an absent element.
        let made =
            |value: Value| Some(json!({"a": {"b": [1, 2]}, "n": null, "x/y": 1, "y": value}));
        check(&json!([{"op": "replace", "path": "/y", "value": 2}]), made(2.into()));
        check(&json!([{"op": "copy", "from": "/z", "path": "/y"}]), made(Value::Null));
        check(&json!([{"op": "replace", "path": "/a/b/2", "value": 3}]), None);
        check(&json!([{"op": "copy", "from": "/a/b/2", "path": "/y"}]), None);
        check(
            &json!([{"op": "copy", "from": "/a/b/0", "path": "/a/b/1"}]),
            with("/a/b", json!([1, 1, 2])),
        );
        check(&json!([{"op": "move", "from": "/a/b/0", "path": "/n"}]), {
            let mut want = with("/a/b", json!([2])).expect("there");
            want["n"] = json!(1);
            Some(want)
        });
        check(&json!([{"op": "sing", "path": "/a"}]), None);
    }

    /// Before `kube::runtime::finalizer` adds a list of finalizers, it tests that the list is null.
    #[test]
    fn what_is_absent_is_null_to_a_test() {
        let same = with("/n", Value::Null);
        check(&json!([{"op": "test", "path": "/a/c", "value": null}]), same.clone());
        check(&json!([{"op": "test", "path": "/n", "value": null}]), same.clone());
        check(&json!([{"op": "test", "path": "/a/b/0", "value": 1}]), same);
        check(&json!([{"op": "test", "path": "/a/c", "value": 1}]), None);
        check(&json!([{"op": "test", "path": "/z/c", "value": null}]), None);
        check(&json!([{"op": "test", "path": "/a/b/7", "value": null}]), None);
    }
}
