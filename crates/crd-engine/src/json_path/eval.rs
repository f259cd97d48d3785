//! Evaluates the nodes of a template on a value.
//!
//! Each node maps a list of values to another list. Source: `k8s.io/client-go/util/jsonpath/jsonpath.go`.

use std::borrow::Cow;

use serde_json::Value;

use super::{ActionNode, Group, Param, TemplateNode, compare};

/// A failure, and the values that an existence filter counts in spite of it: mostly those that the failed step was
/// given.
struct EvalFailure<'a> {
    values: Group<'a>,
    message: String,
}

type Walked<'a> = Result<Group<'a>, EvalFailure<'a>>;

fn fail<T>(values: Group<'_>, message: impl Into<String>) -> Result<T, EvalFailure<'_>> {
    Err(EvalFailure { values, message: message.into() })
}

/// The state of the loops of a template.
#[derive(Default)]
struct Loops {
    /// The number of loops begun by `range` and not yet entered.
    beginning: usize,
    /// The number of loops that contain the current node.
    open: usize,
    /// The number of loops ended by `end` and not yet left.
    ending: usize,
    /// The index of the last `end`.
    last_end: Option<usize>,
}

/// Evaluates a template.
pub(super) fn find<'a>(
    roots: &'a [TemplateNode],
    value: &'a Value,
) -> Result<Vec<Group<'a>>, String> {
    groups(roots, 0, &Cow::Borrowed(value), &mut Loops::default())
}

/// Evaluates the nodes from index `from` to the end of the loop, or of the template.
fn groups<'a>(
    roots: &'a [TemplateNode],
    from: usize,
    value: &Cow<'a, Value>,
    loops: &mut Loops,
) -> Result<Vec<Group<'a>>, String> {
    let mut groups_found = Vec::new();
    let mut at = from;
    while let Some(root) = roots.get(at) {
        let found = match root {
            TemplateNode::Text(text) => vec![Cow::Owned(Value::from(text.as_str()))],
            TemplateNode::Action(nodes) => {
                walk(vec![value.clone()], nodes, loops).map_err(|failure| failure.message)?
            }
        };
        if loops.ending > 0 && loops.ending <= loops.open {
            loops.ending -= 1;
            loops.last_end = Some(at);
            break;
        }
        if loops.beginning == 0 {
            groups_found.push(found);
            at += 1;
            continue;
        }
        loops.beginning -= 1;
        loops.open += 1;
        if found.is_empty() {
            // The nodes are still evaluated, to find the end of the loop.
            groups(roots, at + 1, &Cow::Owned(Value::Null), loops)?;
        }
        for item in &found {
            groups_found.extend(groups(roots, at + 1, item, loops)?);
        }
        loops.open -= 1;
        at = loops.last_end.filter(|end| *end > at).unwrap_or(at) + 1;
    }
    Ok(groups_found)
}

fn walk<'a>(mut values: Group<'a>, nodes: &'a [ActionNode], loops: &mut Loops) -> Walked<'a> {
    for node in nodes {
        values = step(values, node, loops)?;
    }
    Ok(values)
}

fn step<'a>(values: Group<'a>, node: &'a ActionNode, loops: &mut Loops) -> Walked<'a> {
    let constant = |value: Value| Ok(values.iter().map(|_| Cow::Owned(value.clone())).collect());
    match node {
        ActionNode::Text(text) => Ok(vec![Cow::Owned(Value::from(text.as_str()))]),
        ActionNode::Int(int) => constant(Value::from(*int)),
        ActionNode::Float(float) => constant(Value::from(*float)),
        ActionNode::Bool(value) => constant(Value::Bool(*value)),
        ActionNode::Field(name) => {
            Ok(values.into_iter().filter_map(|value| field(value, name)).collect())
        }
        ActionNode::Wildcard => Ok(values.into_iter().flat_map(children).collect()),
        ActionNode::Recursive => Ok(recursive(values)),
        ActionNode::Array(params) => array(values, params),
        ActionNode::Filter { left, operator, right } => {
            filter(values, left, operator, right, loops)
        }
        ActionNode::Union(parts) => union(&values, parts, loops),
        ActionNode::Identifier(name) => identifier(values, name, loops),
    }
}

fn field<'a>(value: Cow<'a, Value>, name: &str) -> Option<Cow<'a, Value>> {
    match value {
        Cow::Borrowed(value) => value.as_object()?.get(name).map(Cow::Borrowed),
        Cow::Owned(Value::Object(mut map)) => map.remove(name).map(Cow::Owned),
        Cow::Owned(_) => None,
    }
}

/// Returns the values of an object in the order of its keys, the items of a list, or the bytes of a string.
fn children(value: Cow<'_, Value>) -> Group<'_> {
    match value {
        Cow::Borrowed(Value::Array(items)) => items.iter().map(Cow::Borrowed).collect(),
        Cow::Borrowed(Value::Object(map)) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            entries.into_iter().map(|(_, value)| Cow::Borrowed(value)).collect()
        }
        Cow::Owned(Value::Array(items)) => items.into_iter().map(Cow::Owned).collect(),
        Cow::Owned(Value::Object(map)) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            entries.into_iter().map(|(_, value)| Cow::Owned(value)).collect()
        }
        Cow::Borrowed(Value::String(text)) => {
            text.bytes().map(|byte| Cow::Owned(Value::from(byte))).collect()
        }
        Cow::Owned(Value::String(text)) => {
            text.bytes().map(|byte| Cow::Owned(Value::from(byte))).collect()
        }
        Cow::Borrowed(_) | Cow::Owned(_) => Vec::new(),
    }
}

/// Returns the values and all their descendants, each before its own descendants, except for those without children.
/// The depth of the recursion is that of the JSON, which its decoder limits.
fn recursive(values: Group<'_>) -> Group<'_> {
    let mut found = Vec::new();
    for value in values {
        let below = children(value.clone());
        if !below.is_empty() {
            found.push(value);
            found.extend(recursive(below));
        }
    }
    found
}

fn array<'a>(values: Group<'a>, params: &[Param; 3]) -> Walked<'a> {
    let mut found = Vec::new();
    for value in &values {
        let items = match value.as_ref() {
            Value::Null => continue,
            Value::Array(items) => items.len(),
            _ => return fail(values, "is not array or slice"),
        };
        let length = i64::try_from(items).unwrap_or(i64::MAX);
        let [begin, end, step] = *params;
        let mut first = if begin.known { begin.value } else { 0 };
        if first < 0 {
            first = first.saturating_add(length);
        }
        let mut last = if end.known { end.value } else { length };
        if last < 0 || (last == 0 && end.derived) {
            last = last.saturating_add(length);
        }
        if first == last {
            // Upstream: an empty range, such as `[2:2]`, selects nothing, and the lists after this one are skipped.
            return Ok(found);
        }
        if first >= length || first < 0 {
            let message = format!("array index out of bounds: index {first}, length {length}");
            return fail(values, message);
        }
        if last > length || last < 0 {
            let message = format!(
                "array index out of bounds: index {}, length {length}",
                last.saturating_sub(1)
            );
            return fail(values, message);
        }
        if first > last {
            return fail(
                values,
                format!("starting index {first} is greater than ending index {last}"),
            );
        }
        if step.known && step.value <= 0 {
            return fail(values, "step must be > 0");
        }
        let by = if step.known { usize::try_from(step.value).unwrap_or(usize::MAX) } else { 1 };
        let range = usize::try_from(first).unwrap_or(0)..usize::try_from(last).unwrap_or(0);
        found.extend(range.step_by(by).filter_map(|index| item(value, index)));
    }
    Ok(found)
}

fn item<'a>(value: &Cow<'a, Value>, index: usize) -> Option<Cow<'a, Value>> {
    match value {
        Cow::Borrowed(value) => value.get(index).map(Cow::Borrowed),
        Cow::Owned(value) => value.get(index).cloned().map(Cow::Owned),
    }
}

fn union<'a>(values: &Group<'a>, parts: &'a [Vec<ActionNode>], loops: &mut Loops) -> Walked<'a> {
    let mut found = Vec::new();
    for part in parts {
        match walk(values.clone(), part, loops) {
            Ok(more) => found.extend(more),
            Err(failure) => return fail(values.clone(), failure.message),
        }
    }
    Ok(found)
}

fn filter<'a>(
    values: Group<'a>,
    left: &'a [ActionNode],
    operator: &str,
    right: &'a [ActionNode],
    loops: &mut Loops,
) -> Walked<'a> {
    let mut found: Group<'a> = Vec::new();
    for value in &values {
        let items = value.as_array().map(Vec::len);
        let Some(items) = items else {
            return fail(values, "is not array or slice and cannot be filtered");
        };
        for item in (0..items).filter_map(|index| item(value, index)) {
            let lefts = walk(vec![item.clone()], left, loops);
            if operator == "exists" {
                // Upstream: an error is ignored, and the values that the failed step leaves count.
                if !lefts.unwrap_or_else(|failure| failure.values).is_empty() {
                    found.push(item);
                }
                continue;
            }
            let rights = lefts.and_then(|lefts| match &lefts[..] {
                // Upstream: if the left side has no value, the right side is not evaluated.
                [] => Ok((lefts, Vec::new())),
                [_] => walk(vec![item.clone()], right, loops).map(|rights| (lefts, rights)),
                _ => fail(Vec::new(), "can only compare one element at a time"),
            });
            let (lefts, rights) = match rights {
                Ok(pair) => pair,
                Err(failure) => return fail(values, failure.message),
            };
            match (&lefts[..], &rights[..]) {
                ([], _) | (_, []) => {}
                ([left], [right]) => match compare::holds(operator, left, right) {
                    Ok(true) => found.push(item),
                    Ok(false) => {}
                    Err(message) => return fail(found, message),
                },
                _ => return fail(values, "can only compare one element at a time"),
            }
        }
    }
    Ok(found)
}

fn identifier<'a>(values: Group<'a>, name: &str, loops: &mut Loops) -> Walked<'a> {
    match name {
        "range" => {
            loops.beginning += 1;
            Ok(values)
        }
        "end" if loops.open > 0 => {
            loops.ending += 1;
            Ok(Vec::new())
        }
        "end" => fail(Vec::new(), "not in range, nothing to end"),
        name => fail(values, format!("unrecognized identifier {name}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Template;

    #[track_caller]
    fn check(path: &str, want: &str) {
        let object = json!({
            "spec": {
                "n": 3, "f": 1.5, "s": "text", "z": null, "b": true,
                "a.b": "dotted", "a": {"b": "nested"},
                "arr": [1, 2, 3, 4],
                "objs": [{"n": "x", "v": 1}, {"n": "y", "v": 2}, {"n": "w"}],
                "map": {"k2": 2, "k1": 1},
            },
        });
        let got = match Template::parse_path(path) {
            Err(error) => format!("parse: {error}"),
            Ok(template) => match template.find(&object) {
                Err(error) => format!("error: {error}"),
                Ok(groups) => groups
                    .iter()
                    .map(|group| {
                        let values: Vec<String> = group.iter().map(ToString::to_string).collect();
                        values.join(" ")
                    })
                    .collect::<Vec<_>>()
                    .join(" | "),
            },
        };
        assert_eq!(got, want, "{path}");
    }

    #[test]
    fn fields() {
        check(".spec.n", "3");
        check(".spec.z", "null");
        check(".spec.missing", "");
        check(".spec.n.deeper", "");
        check(".spec['n']", "3");
        check(".spec['a.b']", "\"nested\"");
        check(r".spec.a\.b", "\"dotted\"");
        check("$.spec.n", "3");
        check(".spec.n ", "3");
        check(".", "");
    }

    #[test]
    fn lists() {
        check(".spec.arr[-1]", "4");
        check(".spec.arr[0]", "1");
        check(".spec.arr[1:3]", "2 3");
        check(".spec.arr[::2]", "1 3");
        check(".spec.arr[*]", "1 2 3 4");
        check(".spec.arr[0,2]", "1 3");
        check(".spec.arr[2:2]", "");
        check(".spec.z[0]", "");
        check(".spec.arr[5]", "error: array index out of bounds: index 5, length 4");
        check(".spec.arr[::0]", "error: step must be > 0");
        check(".spec.s[0]", "error: is not array or slice");
    }

    #[test]
    fn wildcards_and_descent() {
        check(".spec.map.*", "1 2");
        check(".spec.objs[*].n", "\"x\" \"y\" \"w\"");
        check(".spec.objs..v", "1 2");
        check(".spec..b", "true \"nested\"");
    }

    #[test]
    fn filters() {
        check(".spec.objs[?(@.v==2)].n", "\"y\"");
        check(".spec.objs[?(@.v>=1)].n", "\"x\" \"y\"");
        check(".spec.objs[?(@.v)].n", "\"x\" \"y\"");
        check(".spec.objs[?(@.n==\"w\")].n", "\"w\"");
        check(".spec.objs[?(@.n=='(w)')].n", "");
        check(".spec.objs[?(@.v==\"2\")].n", "error: incompatible types for comparison");
        check(".spec.objs[?(@.v==2.0)].n", "error: incompatible types for comparison");
        check(".spec.objs[?(@.v=1)].n", "error: unrecognized filter operator =");
        check(".spec.n[?(@.v)]", "error: is not array or slice and cannot be filtered");
    }

    #[test]
    fn text_and_loops() {
        check(".spec.n}-{.spec.f", "3 | \"-\" | 1.5");
        check(".spec.objs[*] range}{.n}{end", "\"x\" | \"y\" | \"w\"");
        check(".spec.missing range}{.n}{end} after", "\" after}\"");
        check("'a' 'b'", "\"b\"");
        check("true", "true");
    }

    #[test]
    fn malformed_paths() {
        check(r#"["a.b"]"#, "parse: invalid array index \"a.b\"");
        check(".a,", "parse: unrecognized character in action: U+002C ','");
        check(".a]", "parse: unrecognized character in action: U+005D ']'");
        check(".a[?(@.n=~\"y\")]", "parse: unrecognized character in action: U+007E '~'");
        check(".a[0", "parse: unterminated array");
        check(".a[?(@.b]", "parse: unterminated filter");
        check(".a\n", "parse: unclosed action");
        check("....a", "parse: invalid multiple recursive descent");
        check(".a b", "error: unrecognized identifier b");
        check(".end", "");
        check("end", "error: not in range, nothing to end");
        check(&"[?(".repeat(200), "parse: unterminated filter");
    }
}
