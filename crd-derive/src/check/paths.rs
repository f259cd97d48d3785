//! The syntax of JSON paths of columns, the scale subresource, selectable fields and rules.

use crate::json_path;

type Result = std::result::Result<(), String>;

/// Checks a column's path, in the grammar of `k8s.io/client-go/util/jsonpath`.
///
/// The server only requires the leading dot. If the rest does not parse, its tables end before this column.
pub(super) fn column(path: &str) -> Result {
    if matches!(path, "" | ".") {
        return Err("the path names no field; write one such as `.spec.replicas`".to_owned());
    }
    if !path.starts_with('.') {
        return Err(format!("the path must start with a dot, such as `.{path}`"));
    }
    let mut chars = path.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '.' if chars.peek().is_none() => return Err("the path ends with a dot".to_owned()),
            '\\' => {
                chars.next();
            }
            '[' => {
                let rest = &path[at + 1..];
                let Some(len) = json_path::subscript(rest) else {
                    return Err(format!("`[` at byte {at} is not closed"));
                };
                let inside = rest[..len].trim();
                check_subscript(inside)?;
                while chars.peek().is_some_and(|(next, _)| *next <= at + 1 + len) {
                    chars.next();
                }
            }
            ']' => return Err(format!("`]` at byte {at} closes nothing")),
            '{' | '}' => {
                return Err("the path takes no braces, unlike `kubectl -o jsonpath`".to_owned());
            }
            c if c.is_whitespace() => {
                return Err("the path contains a space outside brackets".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks the text between brackets, such as `0`, `-1`, `1:3`, `*`, `'name'` or `?(@.type=="Ready")`.
fn check_subscript(inside: &str) -> Result {
    let quoted = |quote| inside.len() >= 2 && inside.starts_with(quote) && inside.ends_with(quote);
    let filter = inside.starts_with("?(") && inside.ends_with(')');
    let numbers = !inside.is_empty()
        && inside.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ':' | ',' | ' '));
    let names = inside.starts_with(['\'', '"']) && inside.contains(',');
    if inside == "*" || quoted('\'') || quoted('"') || filter || numbers || names {
        return Ok(());
    }
    Err(format!("`[{inside}]` is not an index, `'name'`, `*` or a `?(..)` filter"))
}

/// Checks a path of the scale subresource, which must be below one of `roots`, such as `.spec`. The server splits
/// it at dots.
pub(super) fn scale(path: &str, roots: &[&str]) -> Result {
    let under = roots.join("` or `");
    if !roots.iter().any(|root| path.strip_prefix(root).is_some_and(|rest| rest.starts_with('.'))) {
        return Err(format!("the path must be below `{under}`"));
    }
    if path.contains(['[', ']']) {
        return Err(
            "the path must be names joined by dots: the server does not look into lists".to_owned()
        );
    }
    if path[1..].split('.').any(str::is_empty) {
        return Err("the path has an empty name between dots".to_owned());
    }
    Ok(())
}

/// Checks a selectable field's path. Source: `validateSelectableFields` of apiextensions' validation.
pub(super) fn selectable(path: &str) -> Result {
    if path.contains('[') {
        return Err(
            "the path must be names joined by dots: field selectors do not support brackets"
                .to_owned(),
        );
    }
    match json_path::names(path)?.first().map(String::as_str) {
        None => Err("the path names no field; write one such as `.spec.color`".to_owned()),
        Some("metadata") => {
            Err("the path cannot be in `.metadata`, whose name and namespace are always selectable"
                .to_owned())
        }
        Some(_) => Ok(()),
    }
}

/// Checks the `field_path` of a rule.
pub(super) fn field_path(path: &str) -> Result {
    let names = json_path::names(path)?;
    let in_brackets = |name: &str| path.contains(&format!("['{name}']"));
    if names.iter().any(|name| name.contains('\\') && !in_brackets(name)) {
        let message = "the server does not accept a backslash here; write a name with a dot in brackets, such as \
                       `['a.b']`";
        return Err(message.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parse: fn(&str) -> Result, good: &[&str], bad: &[&str]) {
        for path in good {
            assert_eq!(parse(path), Ok(()), "{path}");
        }
        for path in bad {
            assert!(parse(path).is_err(), "{path}");
        }
    }

    #[test]
    fn columns() {
        check(
            column,
            &[
                ".spec.replicas",
                ".status.conditions[?(@.type==\"Ready\")].status",
                ".metadata.annotations['a.b/c']",
                r".metadata.labels.a\.b",
                ".spec.list[0].name",
                ".spec.list[*].name",
                "..name",
                r".a\[b",
                ".a[?(@.b==\"]\")].c",
                ".a[?(@.b[0]==\"c\")].d",
                r".a['\'b'].c",
            ],
            &[
                "spec",
                "",
                ".",
                ".spec.",
                ".spec[.foo",
                ".spec[foo]",
                "{.spec}",
                ".a{b",
                ".a}",
                ".a b",
                ".a]",
            ],
        );
    }

    #[test]
    fn subscripts() {
        check(
            check_subscript,
            &["*", "0", "-1:", "0, 2", "'a'", "\"a\"", "''", "'a','b'", "\"a\",", "?(@.a)"],
            &["", "a", "'", "\"", "'a", "a'", "'a\"", "?(", "?(@.a", "@.a)", "a,b", "0a", "**"],
        );
    }

    #[test]
    fn scales() {
        let spec = |path: &str| scale(path, &[".spec"]);
        check(
            spec,
            &[".spec.replicas", ".spec.a.b"],
            &[".status.a", "spec.a", ".spec", ".spec.a[0]", ".spec."],
        );
    }

    #[test]
    fn selectables() {
        check(
            selectable,
            &[".spec.color", ".status.phase"],
            &["spec.color", ".metadata.name", "", ".spec[0]", ".spec..a", ".spec."],
        );
    }

    #[test]
    fn field_paths() {
        check(
            field_path,
            &[".a", ".a.b", "['a.b']", ".m['k']"],
            &["a", ".l[0]", ".a.", "['a", r".a\.b"],
        );
    }
}
