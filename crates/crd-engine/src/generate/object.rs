//! Whole objects, and smaller ones with the same property.

use serde_json::{Map, Value};

/// The largest number of attempts to make an object smaller.
const SHRINKS: usize = 500;

/// Adds `apiVersion`, `kind` and, unless there is a name, metadata to the content of an object. A namespaced object is
/// in the namespace `default`.
pub fn whole_object(
    mut object: Value,
    (api_version, kind): (&str, &str),
    metadata: &Value,
    is_namespaced: bool,
) -> Value {
    let Value::Object(map) = &mut object else { return object };
    map.insert("apiVersion".to_owned(), api_version.into());
    map.insert("kind".to_owned(), kind.into());
    let given = map.entry("metadata").or_insert_with(|| metadata.clone());
    if given.get("name").is_none() {
        *given = metadata.clone();
    }
    if is_namespaced {
        given["namespace"] = "default".into();
    }
    object
}

/// Returns the fields of an object except `apiVersion`, `kind` and `metadata`.
pub fn content(object: &Value) -> Value {
    let is_common = |key: &&String| matches!(key.as_str(), "apiVersion" | "kind" | "metadata");
    let map = object.as_object().into_iter().flatten();
    map.filter(|(key, _)| !is_common(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect::<Map<_, _>>()
        .into()
}

/// Removes parts of a failing object as long as `still` reports that it fails.
pub fn shrink(mut object: Value, mut still: impl FnMut(&Value) -> bool) -> Value {
    let mut left = SHRINKS;
    loop {
        let mut pointers = Vec::new();
        parts(&content(&object), &mut String::new(), &mut pointers);
        let smaller = pointers.iter().take(left).find_map(|pointer| {
            left -= 1;
            let mut smaller = object.clone();
            remove(&mut smaller, pointer)?;
            still(&smaller).then_some(smaller)
        });
        match smaller {
            Some(smaller) => object = smaller,
            None => return object,
        }
    }
}

/// Returns the JSON pointer that leads through keys and indices.
pub fn pointer<K: AsRef<str>>(keys: impl IntoIterator<Item = K>) -> String {
    let keys = keys.into_iter().map(|key| key.as_ref().replace('~', "~0").replace('/', "~1"));
    keys.flat_map(|key| ["/".to_owned(), key]).collect()
}

/// Collects the JSON pointers of all parts, each after those of the parts that contain it.
pub(crate) fn parts(value: &Value, at: &mut String, into: &mut Vec<String>) {
    let mut below = |key: &str, value: &Value| {
        let length = at.len();
        at.push_str(&pointer([key]));
        into.push(at.clone());
        parts(value, at, into);
        at.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| below(key, value)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| below(&index.to_string(), value));
        }
        _ => {}
    }
}

/// Removes the part at a JSON pointer.
pub fn remove(object: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, key) = pointer.rsplit_once('/')?;
    match object.pointer_mut(parent)? {
        Value::Object(map) => map.remove(&key.replace("~1", "/").replace("~0", "~")),
        Value::Array(items) => {
            let index: usize = key.parse().ok()?;
            (index < items.len()).then(|| items.remove(index))
        }
        _ => None,
    }
}
