//! JSON Patch as the server implements it: RFC 6902, with the deviations of its library.
//!
//! For example, a `test` of an absent member succeeds if the expected value is null, and index -1 is the last element. A
//! `test` compares the texts of numbers and strings, so operations work on documents whose numbers and strings are texts of
//! JSON: those that were sent, or those that Go writes.
//!
//! Source: `gopkg.in/evanphx/json-patch.v4`.

use std::fmt::Write as _;

use crd_cel::gofmt::quote;
use serde_json::{Map, Value};

use super::query::why_no_integer;
use crate::json::{self, MAX_DEPTH, OutOfRange};

/// The maximum number of bytes by which all copies of a patch together may enlarge a document. Source:
/// `JSONPatchMaxCopyBytes` of `k8s.io/apiserver/pkg/server/config.go`.
const MAX_COPIED_BYTES: usize = 3 * 1024 * 1024;

/// The end of the message about a value that differs from the one of a `test`.
const TEST_FAILED: &str = "failed: test failed";

/// The operations of a patch.
#[derive(Debug, Clone)]
pub(super) struct JsonPatch(Vec<PatchOperation>);

#[derive(Debug, Clone)]
struct PatchOperation {
    op: Option<String>,
    path: Option<String>,
    from: Option<String>,
    /// With the texts of its numbers and strings.
    value: Option<Value>,
}

/// Why an operation does not apply, in the words of the server. Requests are answered without it; only for patches of
/// webhooks does the server give the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DoesNotApply(pub(super) String);

impl DoesNotApply {
    /// Returns whether a value differs from the one of a `test`.
    pub(super) fn is_failed_test(&self) -> bool {
        self.0.ends_with(TEST_FAILED)
    }
}

/// Returns messages about the keys that no operation has. Source: `jsonPatchOp` of `pkg/endpoints/handlers/patch.go`.
pub(super) fn unknown_fields(patch: &Value) -> impl Iterator<Item = String> + '_ {
    let operations = patch.as_array().into_iter().flatten().enumerate();
    operations.flat_map(|(index, operation)| {
        let keys = operation.as_object().into_iter().flat_map(|map| map.keys());
        keys.filter(|key| !["op", "path", "from", "value"].contains(&key.as_str()))
            .map(move |key| format!("json patch unknown field \"[{index}].{key}\""))
    })
}

/// Checks the types of operations as field validation does before the library reads them.
///
/// Source: `jsonPatchOp` of `pkg/endpoints/handlers/patch.go`.
///
/// # Errors
/// Returns the message of Go's decoder for the first operation that is not an object, or has a key of the wrong type, or
/// for the first of the numbers out of range that a value has.
pub(super) fn check_types(operations: &[Value], numbers: &[OutOfRange]) -> Result<(), String> {
    for operation in operations {
        let map = match operation {
            Value::Object(map) => map,
            Value::Null => continue,
            other => return Err(not_of_type(other, "value of type handlers.jsonPatchOp")),
        };
        let wrong = map.iter().find(|(key, value)| {
            ["op", "path", "from"].contains(&key.as_str()) && !value.is_string() && !value.is_null()
        });
        if let Some((key, value)) = wrong {
            return Err(not_of_type(
                value,
                &format!("struct field jsonPatchOp.{key} of type string"),
            ));
        }
    }
    let is_in_value = |number: &&OutOfRange| {
        let key = number.path.split_once("].").map_or("", |(_, key)| key);
        key.strip_prefix("value")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    numbers.iter().find(is_in_value).map_or(Ok(()), |OutOfRange { literal, .. }| {
        let field = "Go struct field jsonPatchOp.value of type float64";
        Err(format!("json: cannot unmarshal number {literal} into {field}"))
    })
}

fn not_of_type(value: &Value, what: &str) -> String {
    format!("json: cannot unmarshal {} into Go {what}", json::kind(value))
}

impl JsonPatch {
    /// Parses operations. A missing or unknown `op` or a missing path is an error only in [`JsonPatch::apply`].
    ///
    /// # Errors
    /// Returns the message of Go's decoder if an operation is not an object.
    pub(super) fn read(operations: &[Value]) -> Result<Self, String> {
        let no_keys = Map::new();
        let read = |operation: &Value| {
            let map = match operation {
                Value::Object(map) => map,
                // Upstream: the operation is a map in Go, so null is one without keys.
                Value::Null => &no_keys,
                other => return Err(not_of_type(other, "value of type jsonpatch.Operation")),
            };
            let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
            Ok(PatchOperation {
                op: text("op"),
                path: text("path"),
                from: text("from"),
                value: map.get("value").map(texts_of),
            })
        };
        Ok(Self(operations.iter().map(read).collect::<Result<_, String>>()?))
    }

    /// Gives the values the texts that they have in the body which was read.
    pub(super) fn with_texts_of(mut self, body: &[u8]) -> Self {
        let sent = json::decode_texts(body);
        for (operation, sent) in self.0.iter_mut().zip(sent.as_array().into_iter().flatten()) {
            operation.value = sent.get("value").cloned();
        }
        self
    }

    /// Returns messages about the duplicate keys that the values of operations bring into `patched`, the document with
    /// all operations applied. `of_patch` are the messages about those of the patch: `duplicate field "[0].value.x"`.
    ///
    /// Upstream: the library copies the text of a value, so that its duplicates are found again in the result.
    pub(super) fn duplicates_in(&self, patched: &Value, of_patch: &[String]) -> Vec<String> {
        let mut found = Vec::new();
        for (index, operation) in self.0.iter().enumerate() {
            let (Some("add" | "replace"), Some(path)) =
                (operation.op.as_deref(), operation.path.as_deref())
            else {
                continue;
            };
            let start = format!("duplicate field \"[{index}].value");
            let below = of_patch.iter().filter_map(|text| text.strip_prefix(&start));
            let mut below = below.peekable();
            if below.peek().is_none() {
                continue;
            }
            // A later operation may have removed or changed the value.
            let Some((at, place)) = printed_path(patched, path) else { continue };
            if operation.value.as_ref().map(value_of).as_ref() == Some(place) {
                found.extend(below.map(|rest| format!("duplicate field \"{at}{rest}")));
            }
        }
        found
    }

    /// Returns the document with all operations applied, in order.
    ///
    /// # Errors
    /// Returns an error if one of them does not apply, or if the document becomes too deep or the copies too large.
    pub(super) fn apply(&self, document: &Value) -> Result<Value, DoesNotApply> {
        let mut document = texts_of(document);
        let mut copied_bytes = 0;
        for operation in &self.0 {
            operation.apply(&mut document, &mut copied_bytes)?;
        }
        Ok(value_of(&document))
    }
}

impl PatchOperation {
    fn apply(&self, document: &mut Value, copied_bytes: &mut usize) -> Result<(), DoesNotApply> {
        match self.op.as_deref() {
            Some("add") => self.add(document),
            Some("remove") => self.remove(document),
            Some("replace") => self.replace(document),
            Some("move") => self.move_value(document),
            Some("copy") => self.copy(document, copied_bytes),
            Some("test") => self.test(document),
            other => Err(DoesNotApply(format!("Unexpected kind: {}", other.unwrap_or("unknown")))),
        }
    }

    fn add(&self, document: &mut Value) -> Result<(), DoesNotApply> {
        let path = self.path("add", "missing value")?;
        let (parent, key) = find_mut(document, path)
            .ok_or_else(|| does_not_apply("add", &format!("doc is missing path: \"{path}\"")))?;
        self.check_value_depth(path)?;
        add_to(parent, &key, self.value()).map_err(|why| in_path("error in add", path, &why))
    }

    fn remove(&self, document: &mut Value) -> Result<(), DoesNotApply> {
        let path = self.path("remove", "missing value")?;
        let (parent, key) = find_mut(document, path)
            .ok_or_else(|| does_not_apply("remove", &format!("doc is missing path: \"{path}\"")))?;
        let removed = remove_from(parent, &key);
        removed.map(drop).map_err(|why| in_path("error in remove", path, &why))
    }

    fn replace(&self, document: &mut Value) -> Result<(), DoesNotApply> {
        let path = self.path("replace", NO_PATH)?;
        if path.is_empty() {
            let value = self.value();
            if !value.is_object() && !value.is_array() {
                let why = "replace operation value must be object or array: %!w(<nil>)";
                return Err(DoesNotApply(why.to_owned()));
            }
            *document = value;
            return Ok(());
        }
        let (parent, key) = find_mut(document, path)
            .ok_or_else(|| does_not_apply("replace", &format!("doc is missing path: {path}")))?;
        self.check_value_depth(path)?;
        if let Value::Object(map) = parent {
            // Upstream: only an element of a list must exist to be replaced.
            map.insert(key, self.value());
            return Ok(());
        }
        let place = child_mut(parent, &key)
            .ok_or_else(|| does_not_apply("replace", &format!("doc is missing key: {path}")))?;
        *place = self.value();
        Ok(())
    }

    fn move_value(&self, document: &mut Value) -> Result<(), DoesNotApply> {
        let from = self.from("move")?;
        let (parent, key) = find_mut(document, from)
            .ok_or_else(|| does_not_apply("move", &format!("doc is missing from path: {from}")))?;
        let moved =
            remove_from(parent, &key).map_err(|why| in_path("error in move", &key, &why))?;
        let path = self.path("move", NO_PATH)?;
        let (parent, key) = find_mut(document, path).ok_or_else(|| {
            does_not_apply("move", &format!("doc is missing destination path: {path}"))
        })?;
        check_depth(path, &moved)?;
        add_to(parent, &key, moved).map_err(|why| in_path("error in move", path, &why))
    }

    fn copy(&self, document: &mut Value, copied_bytes: &mut usize) -> Result<(), DoesNotApply> {
        let from = self.from("copy")?;
        let (parent, key) = find(document, from)
            .ok_or_else(|| does_not_apply("copy", &format!("doc is missing from path: {from}")))?;
        let found = match child(parent, &key) {
            Some(found) => found,
            // Upstream: an absent member is copied as null.
            None if parent.is_object() => &Value::Null,
            None => {
                let why = no_element(parent, &key);
                return Err(DoesNotApply(format!("error in copy for from: '{from}': {why}")));
            }
        };
        let path = self.path("copy", "missing value")?;
        find(document, path).ok_or_else(|| {
            does_not_apply("copy", &format!("doc is missing destination path: {path}"))
        })?;
        *copied_bytes += json::to_go_string(&value_of(found)).len();
        if *copied_bytes > MAX_COPIED_BYTES {
            return Err(DoesNotApply(format!(
                "Unable to complete the copy, the accumulated size increase of copy is {copied_bytes}, exceeding the limit \
                 {MAX_COPIED_BYTES}"
            )));
        }
        check_depth(path, found)?;
        let copied = found.clone();
        let Some((parent, key)) = find_mut(document, path) else { return Ok(()) };
        add_to(parent, &key, copied)
            .map_err(|why| DoesNotApply(format!("error while adding value during copy: {why}")))
    }

    fn test(&self, document: &Value) -> Result<(), DoesNotApply> {
        let path = self.path("test", NO_PATH)?;
        let failed = || DoesNotApply(format!("testing value {path} {TEST_FAILED}"));
        let wanted = self.value();
        if path.is_empty() {
            return if *document == wanted { Ok(()) } else { Err(failed()) };
        }
        let (parent, key) = find(document, path)
            .ok_or_else(|| does_not_apply("test", &format!("is missing path: {path}")))?;
        let found = child(parent, &key);
        if found.is_none() && parent.is_array() {
            return Err(in_path("error in test", path, &no_element(parent, &key)));
        }
        let found = found.unwrap_or(&Value::Null);
        if *found == wanted { Ok(()) } else { Err(failed()) }
    }

    fn value(&self) -> Value {
        self.value.clone().unwrap_or(Value::Null)
    }

    fn check_value_depth(&self, path: &str) -> Result<(), DoesNotApply> {
        self.value.as_ref().map_or(Ok(()), |value| check_depth(path, value))
    }

    fn path(&self, operation: &str, missing: &str) -> Result<&str, DoesNotApply> {
        self.path.as_deref().ok_or_else(|| {
            DoesNotApply(format!("{operation} operation failed to decode path: {missing}"))
        })
    }

    fn from(&self, operation: &str) -> Result<&str, DoesNotApply> {
        self.from.as_deref().ok_or_else(|| {
            let why = "operation, missing from field: missing value";
            DoesNotApply(format!("{operation} operation failed to decode from: {why}"))
        })
    }
}

/// Returns a value whose numbers and strings are the texts that Go writes.
fn texts_of(value: &Value) -> Value {
    map_scalars(value, &|scalar| Value::String(json::to_go_string(scalar)))
}

/// Returns the value of which [`texts_of`] or [`json::decode_texts`] has the texts.
fn value_of(texts: &Value) -> Value {
    map_scalars(texts, &|text| match text {
        Value::String(text) => {
            json::decode(text.as_bytes()).map(|decoded| decoded.value).unwrap_or_default()
        }
        other => other.clone(),
    })
}

/// Recursion follows the value, which is nested at most [`MAX_DEPTH`] deep.
fn map_scalars(value: &Value, map: &dyn Fn(&Value) -> Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(_) | Value::String(_) => map(value),
        Value::Array(items) => items.iter().map(|item| map_scalars(item, map)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), map_scalars(value, map)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// Checks that a document is not nested too deep after `value` has been placed at `path`. Each place is checked, so that
/// no operation has to copy or drop a tree that is too deep to recurse into.
fn check_depth(path: &str, value: &Value) -> Result<(), DoesNotApply> {
    let above = path.bytes().filter(|byte| *byte == b'/').count();
    let left = MAX_DEPTH.checked_sub(above);
    if left.is_some_and(|left| !json::is_deeper_than(value, left)) {
        return Ok(());
    }
    Err(DoesNotApply(json::too_deep()))
}

/// The reason why an operation without a path does not apply.
const NO_PATH: &str = "operation missing path field: missing value";

fn does_not_apply(operation: &str, what: &str) -> DoesNotApply {
    DoesNotApply(format!("{operation} operation does not apply: {what}: missing value"))
}

fn in_path(what: &str, path: &str, why: &str) -> DoesNotApply {
    DoesNotApply(format!("{what} for path: '{path}': {why}"))
}

/// Returns why a list does not have an element.
fn no_element(list: &Value, key: &str) -> String {
    let length = list.as_array().map_or(0, Vec::len);
    index(key, length).err().unwrap_or_else(|| out_of_bounds(key))
}

fn out_of_bounds(key: &str) -> String {
    // Go prints the number, without a plus sign or leading zeros.
    let number = key.parse::<i64>().unwrap_or_default();
    format!("Unable to access invalid index: {number}: invalid index referenced")
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

/// Returns a path as the strict decoder prints it, `a.b[0]` for `/a/b/0`, and the value there. The last element of a list
/// is also `-`.
fn printed_path<'v>(document: &'v Value, path: &str) -> Option<(String, &'v Value)> {
    let (mut at, mut printed) = (document, String::new());
    for key in keys(path).unwrap_or_default() {
        if let Value::Array(list) = at {
            let index = match key.as_str() {
                "-" => list.len().checked_sub(1)?,
                key => index(key, list.len()).ok()?,
            };
            let _ = write!(printed, "[{index}]");
            at = list.get(index)?;
        } else {
            let dot = if printed.is_empty() { "" } else { "." };
            let _ = write!(printed, "{dot}{key}");
            at = child(at, &key)?;
        }
    }
    Some((printed, at))
}

fn child<'v>(parent: &'v Value, key: &str) -> Option<&'v Value> {
    match parent {
        Value::Object(map) => map.get(key),
        Value::Array(list) => list.get(index(key, list.len()).ok()?),
        _ => None,
    }
}

fn child_mut<'v>(parent: &'v mut Value, key: &str) -> Option<&'v mut Value> {
    match parent {
        Value::Object(map) => map.get_mut(key),
        Value::Array(list) => {
            let at = index(key, list.len()).ok()?;
            list.get_mut(at)
        }
        _ => None,
    }
}

/// Parses an index into a list of `length` elements, of which -1 is the last one. The result may be out of bounds.
fn index(key: &str, length: usize) -> Result<usize, String> {
    let number: i64 = key.parse().map_err(|error| {
        format!("strconv.Atoi: parsing {}: {}", quote(key), why_no_integer(&error))
    })?;
    let magnitude = usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
    if number < 0 {
        return length.checked_sub(magnitude).ok_or_else(|| out_of_bounds(key));
    }
    Ok(magnitude)
}

fn add_to(parent: &mut Value, key: &str, value: Value) -> Result<(), String> {
    match parent {
        Value::Object(map) => {
            map.insert(key.to_owned(), value);
        }
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => {
            // A value can also be added after the last element.
            let at = index(key, list.len() + 1).map_err(|why| {
                if key.parse::<i64>().is_ok() {
                    return why;
                }
                format!("value was not a proper array index: '{key}': {why}")
            })?;
            if at > list.len() {
                return Err(out_of_bounds(key));
            }
            list.insert(at, value);
        }
        // The parent is an object or a list.
        _ => {}
    }
    Ok(())
}

fn remove_from(parent: &mut Value, key: &str) -> Result<Value, String> {
    match parent {
        Value::Array(list) => {
            let at = index(key, list.len())?;
            if at >= list.len() {
                return Err(out_of_bounds(key));
            }
            Ok(list.remove(at))
        }
        _ => parent
            .as_object_mut()
            .and_then(|map| map.remove(key))
            .ok_or_else(|| format!("Unable to remove nonexistent key: {key}: missing value")),
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
    fn operations_apply_as_upstream() {
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
    fn an_absent_member_equals_null_in_a_test() {
        let same = with("/n", Value::Null);
        check(&json!([{"op": "test", "path": "/a/c", "value": null}]), same.clone());
        check(&json!([{"op": "test", "path": "/n", "value": null}]), same.clone());
        check(&json!([{"op": "test", "path": "/a/b/0", "value": 1}]), same);
        check(&json!([{"op": "test", "path": "/a/c", "value": 1}]), None);
        check(&json!([{"op": "test", "path": "/z/c", "value": null}]), None);
        check(&json!([{"op": "test", "path": "/a/b/7", "value": null}]), None);
    }

    #[test]
    fn reasons() {
        #[track_caller]
        fn check(operation: &Value, want: &str) {
            let document = json!({"a": {"b": [1, 2]}});
            let patch = JsonPatch::read(std::slice::from_ref(operation)).expect("a patch");
            assert_eq!(patch.apply(&document), Err(DoesNotApply(want.to_owned())));
        }
        check(
            &json!({"op": "add", "path": "/z/b", "value": 3}),
            "add operation does not apply: doc is missing path: \"/z/b\": missing value",
        );
        check(
            &json!({"op": "add", "path": "/a/b/x", "value": 3}),
            "error in add for path: '/a/b/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid \
             syntax",
        );
        check(
            &json!({"op": "add", "path": "/a/b/99999999999999999999", "value": 3}),
            "error in add for path: '/a/b/99999999999999999999': value was not a proper array index: \
             '99999999999999999999': strconv.Atoi: parsing \"99999999999999999999\": value out of range",
        );
        check(
            &json!({"op": "add", "path": "/a/b/3", "value": 3}),
            "error in add for path: '/a/b/3': Unable to access invalid index: 3: invalid index referenced",
        );
        check(
            &json!({"op": "remove", "path": "/a/c"}),
            "error in remove for path: '/a/c': Unable to remove nonexistent key: c: missing value",
        );
        check(
            &json!({"op": "replace", "path": "/a/b/7", "value": 1}),
            "replace operation does not apply: doc is missing key: /a/b/7: missing value",
        );
        check(
            &json!({"op": "test", "path": "/a/c", "value": 1}),
            "testing value /a/c failed: test failed",
        );
        check(
            &json!({"op": "move", "from": "/a/c", "path": "/d"}),
            "error in move for path: 'c': Unable to remove nonexistent key: c: missing value",
        );
        check(
            &json!({"op": "copy", "from": "/a/b/-3", "path": "/d"}),
            "error in copy for from: '/a/b/-3': Unable to access invalid index: -3: invalid index referenced",
        );
        check(&json!({"op": "sing", "path": "/a"}), "Unexpected kind: sing");
        check(&json!({"op": "remove"}), "remove operation failed to decode path: missing value");
        check(
            &json!({"op": "test"}),
            "test operation failed to decode path: operation missing path field: missing value",
        );
    }

    fn copies(count: usize, from: &str, path: impl Fn(usize) -> String) -> Vec<Value> {
        let copy = |at| json!({"op": "copy", "from": from, "path": path(at)});
        (0..count).map(copy).collect()
    }

    #[test]
    fn copies_are_limited_in_size() {
        let mut patch = vec![json!({"op": "add", "path": "/d", "value": {"a": "b"}})];
        patch.extend(copies(34, "/d", |at| format!("/d/k{at}")));
        let patch = JsonPatch::read(&patch).expect("a patch");
        let DoesNotApply(why) = patch.apply(&json!({})).expect_err("it is too large");
        assert!(
            why.starts_with("Unable to complete the copy, the accumulated size increase"),
            "{why}"
        );
        assert!(why.ends_with("exceeding the limit 3145728"), "{why}");
    }

    #[test]
    fn results_are_limited_in_depth() {
        let deep = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({"a": inner}));
        let check = |operations: &[Value], is_applied: bool| {
            let patch = JsonPatch::read(operations).expect("a patch");
            let found = patch.apply(&json!({"x": deep(300), "y": {"y": deep(300)}}));
            assert_eq!(found.is_ok(), is_applied);
        };
        let inside = format!("/x{}", "/a".repeat(210));
        check(&[json!({"op": "add", "path": "/x/z", "value": deep(497)})], true);
        check(&[json!({"op": "add", "path": "/x/z", "value": deep(499)})], false);
        check(&[json!({"op": "replace", "path": "/x/a", "value": deep(499)})], false);
        check(&[json!({"op": "copy", "from": "/y", "path": inside})], false);
        check(&[json!({"op": "move", "from": "/y", "path": inside})], false);
        check(&[json!({"op": "move", "from": "/y", "path": "/x/b"})], true);
        let doubling = copies(30, "/x", |at| format!("/x{}", "/a".repeat(300 * (at + 1))));
        check(&doubling, false);
    }

    /// The path of the whole document is empty.
    #[test]
    fn the_whole_document() {
        let whole = |value: Value| Some(value);
        check(&json!([{"op": "replace", "path": "", "value": {"z": 1}}]), whole(json!({"z": 1})));
        check(&json!([{"op": "replace", "path": "", "value": 1}]), None);
        check(&json!([{"op": "add", "path": "", "value": {"z": 1}}]), None);
        check(&json!([{"op": "test", "path": "", "value": {"z": 1}}]), None);
        let document = json!({"a": {"b": [1, 2]}, "n": null, "x/y": 1});
        check(&json!([{"op": "test", "path": "", "value": document}]), whole(document.clone()));
    }
}
