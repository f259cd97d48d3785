//! The limit on the nesting of a tree.

use serde_json::Value;

/// The deepest nesting that is accepted, in levels. It is limited because dropping, comparing and printing a tree
/// recurse.
///
/// Divergence: the server keeps up to 10,000 levels.
pub const MAX_DEPTH: usize = 500;

/// The error for nesting beyond [`MAX_DEPTH`].
pub fn too_deep() -> String {
    format!("json: nested deeper than {MAX_DEPTH} levels")
}

/// Returns whether a tree is nested deeper than [`MAX_DEPTH`].
pub fn is_too_deep(value: &Value) -> bool {
    is_deeper_than(value, MAX_DEPTH)
}

/// Returns whether a tree is nested deeper than `levels`.
pub fn is_deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => {
            levels == 0 || items.iter().any(|item| is_deeper_than(item, levels - 1))
        }
        Value::Object(map) => {
            levels == 0 || map.values().any(|item| is_deeper_than(item, levels - 1))
        }
        _ => false,
    }
}

/// Drops a tree of any depth without recursion.
pub fn drop_deep(value: Value) {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Array(items) => todo.extend(items),
            Value::Object(map) => todo.extend(map.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_any_depth_is_dropped() {
        let mut value = Value::Null;
        for _ in 0..200_000 {
            value = Value::Array(vec![value]);
        }
        assert!(is_too_deep(&value));
        drop_deep(value);
    }
}
