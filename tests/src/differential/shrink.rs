//! Reduces a case to a smaller one that still disagrees.

use serde_json::{Map, Value};

/// The most attempts for one case, each of which is a request to the oracle.
const MAX_ATTEMPTS: usize = 2_000;
/// The length in code points above which a text is halved.
const LONG_TEXT: usize = 12;

/// Removes the parts of a case that the disagreement does not need: members, elements, nesting, text.
///
/// Returns the smallest candidate found for which `disagrees` returns true.
pub(super) fn shrink(case: &Value, mut disagrees: impl FnMut(&Value) -> bool) -> Value {
    let mut best = case.clone();
    let mut attempts = 0;
    loop {
        let mut smaller = None;
        for pointer in pointers(&best) {
            for candidate in candidates(&best, &pointer) {
                attempts += 1;
                if attempts > MAX_ATTEMPTS {
                    return best;
                }
                if disagrees(&candidate) {
                    smaller = Some(candidate);
                    break;
                }
            }
            if smaller.is_some() {
                break;
            }
        }
        match smaller {
            Some(candidate) => best = candidate,
            None => return best,
        }
    }
}

/// Returns the paths of all values, breadth first, so that large parts are removed before small ones.
fn pointers(value: &Value) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let mut queue = std::collections::VecDeque::from([(Vec::new(), value)]);
    while let Some((path, value)) = queue.pop_front() {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(map) => map.iter().map(|(key, child)| (key.clone(), child)).collect(),
            Value::Array(list) => {
                list.iter().enumerate().map(|(i, child)| (i.to_string(), child)).collect()
            }
            _ => Vec::new(),
        };
        for (key, child) in children {
            let mut path = path.clone();
            path.push(key);
            out.push(path.clone());
            queue.push_back((path, child));
        }
    }
    out
}

fn candidates(root: &Value, path: &[String]) -> Vec<Value> {
    let mut out = Vec::new();
    let Some((last, parents)) = path.split_last() else { return out };
    let mut without = root.clone();
    match descend(&mut without, parents) {
        Some(Value::Object(map)) => {
            map.remove(last);
            out.push(without);
        }
        Some(Value::Array(list)) => {
            if let Ok(index) = last.parse::<usize>()
                && index < list.len()
            {
                list.remove(index);
                out.push(without);
            }
        }
        _ => {}
    }
    let mut simpler = root.clone();
    if let Some(here) = descend(&mut simpler, path) {
        let replacement = match here {
            Value::Object(map) if !map.is_empty() => Some(Value::Object(Map::new())),
            Value::Array(list) if !list.is_empty() => Some(Value::Array(Vec::new())),
            Value::String(text) if text.chars().count() > LONG_TEXT => {
                let half = text.chars().take(text.chars().count() / 2).collect();
                Some(Value::String(half))
            }
            _ => None,
        };
        if let Some(replacement) = replacement {
            *here = replacement;
            out.push(simpler);
        }
    }
    out
}

fn descend<'a>(root: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(root, |value, key| match value {
        Value::Object(map) => map.get_mut(key),
        Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_needed_parts_are_kept() {
        let case = json!({"a": [1, 2, {"x": 3, "y": 4}], "b": {"c": "d"}, "e": 5});
        let small = shrink(&case, |candidate| candidate.pointer("/b/c") == Some(&json!("d")));
        assert_eq!(small, json!({"b": {"c": "d"}}));
    }
}
