//! Splits JSON paths into steps that can be followed through a schema.
//!
//! Source: `k8s.io/client-go/util/jsonpath/parser.go`. As there, a key in brackets is parsed again as a field, so
//! `['a.b']` means `.a.b`.

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A field, or the key of a map.
    Field(String),
    /// `[0]`, `[1:3]`, `[*]`: elements of a list, with the text of the step.
    Item(String),
    /// `[?(..)]`, with the text of the step and the paths from `@` in it.
    Filter(String, Vec<Vec<Step>>),
    /// `.*`
    Every,
    /// Text that cannot be followed: the rest of the path, or one pair of brackets such as `['a','b']`.
    Stop(String),
}

/// The steps of a column's path, which starts with a dot.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (step, after) = match rest.as_bytes() {
            [b'.', ..] => field(&rest[1..]),
            [b'[', b'?', ..] => filter(rest),
            [b'[', ..] => {
                let end = rest.find(']').map_or(rest.len(), |end| end + 1);
                let (text, after) = rest.split_at(end);
                if let Some(key) = key(text) {
                    // As if the key were written with a dot.
                    steps.extend(self::steps(&format!(".{key}")));
                    rest = after;
                    continue;
                }
                let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | '*');
                let items = text.trim_matches(['[', ']']);
                let step = if !items.is_empty() && items.chars().all(number) {
                    Step::Item(text.to_owned())
                } else {
                    Step::Stop(text.to_owned())
                };
                (step, after)
            }
            _ => (Step::Stop(rest.to_owned()), ""),
        };
        steps.push(step);
        rest = after;
    }
    steps
}

/// The names in a path of `.name` and `['name']` steps, as used by rules, selectable fields and the scale subresource.
pub(crate) fn names(path: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (name, after) = if let Some(after) = rest.strip_prefix("['") {
            after.split_once("']").ok_or("the path has a `['` without its `']`")?
        } else if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            after.split_at(end)
        } else if rest.starts_with('[') {
            return Err(
                "the path cannot look into lists; use names, such as `.a` or `['a.b']`".to_owned()
            );
        } else {
            if names.is_empty() {
                return Err(format!("the path must start with a dot, such as `.{path}`"));
            }
            let before = &path[..path.len() - rest.len()];
            return Err(format!(
                "each name of the path must follow a dot, as in `{before}.{rest}`"
            ));
        };
        if name.is_empty() {
            return Err("the path has an empty name between dots".to_owned());
        }
        names.push(name.to_owned());
        rest = after;
    }
    Ok(names)
}

/// The steps of a path of names; empty if the path is invalid or a name has an escape.
pub(crate) fn fields(path: &str) -> Vec<Step> {
    let names = names(path).unwrap_or_default();
    if names.iter().any(|name| name.contains('\\')) {
        return Vec::new();
    }
    names.into_iter().map(Step::Field).collect()
}

/// The inside of `['key']`.
fn key(text: &str) -> Option<&str> {
    let key = text.strip_prefix("['")?.strip_suffix("']")?;
    (!key.contains('\'')).then_some(key)
}

/// A name up to the next unescaped terminator, and the rest.
fn field(rest: &str) -> (Step, &str) {
    let mut chars = rest.char_indices();
    let mut end = rest.len();
    let mut name = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}' => {
                end = at;
                break;
            }
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    let (text, after) = rest.split_at(end);
    let step = match text {
        "*" => Step::Every,
        "" => return (Step::Stop(format!(".{rest}")), ""),
        _ => Step::Field(name),
    };
    (step, after)
}

/// Returns the length in bytes of the subscript at the start of `rest`, which is the text after a `[`. It ends before
/// the `]` that closes it; a `]` in quotes or in inner brackets does not. `None` if it is not closed.
pub(crate) fn subscript(rest: &str) -> Option<usize> {
    let mut quote = None;
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(at),
            (None, ']') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A filter, and the rest.
fn filter(rest: &str) -> (Step, &str) {
    let Some(len) = subscript(&rest[1..]) else { return (Step::Stop(rest.to_owned()), "") };
    let (text, after) = rest.split_at(len + 2);
    let inside = text.trim_start_matches("[?(").trim_end_matches(")]");
    let operator = |c: char| matches!(c, '!' | '<' | '>' | '=');
    let (left, right) = match inside.find(operator) {
        Some(at) => (&inside[..at], inside[at..].trim_start_matches(operator)),
        None => (inside, ""),
    };
    let paths = [left, right].into_iter().filter_map(|side| side.trim().strip_prefix('@'));
    let paths = paths.map(steps).filter(|steps| !steps.is_empty()).collect();
    (Step::Filter(text.to_owned(), paths), after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(steps: &[Step]) -> String {
        let shown = steps.iter().map(|step| match step {
            Step::Field(name) => name.clone(),
            Step::Item(_) => "#".to_owned(),
            Step::Filter(_, paths) => {
                format!("?({})", paths.iter().map(|path| show(path)).collect::<Vec<_>>().join(", "))
            }
            Step::Every => "every".to_owned(),
            Step::Stop(_) => "!".to_owned(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_name_follows_a_dot() {
        let message = |path| names(path).expect_err("no dot");
        assert_eq!(message("a.b"), "the path must start with a dot, such as `.a.b`");
        let want = "each name of the path must follow a dot, as in `['a'].b`";
        assert_eq!(message("['a']b"), want);
    }

    #[test]
    fn paths_are_taken_apart() {
        for (path, want) in [
            (".spec.replicas", "spec replicas"),
            (r".metadata.labels.a\.b/c", "metadata labels a.b/c"),
            (".metadata.labels['a']", "metadata labels a"),
            (".metadata.labels['a.b']", "metadata labels a b"),
            (r".metadata.labels['a\.b'].c", "metadata labels a.b c"),
            (".l[0].a", "l # a"),
            (".l[-1:].a", "l # a"),
            (".l[*].a", "l # a"),
            (".l['a','b'].c", "l ! c"),
            (".m.*.a", "m every a"),
            (".spec..a", "spec !"),
            (".l[?(@.type==\"Ready\")].status", "l ?(type) status"),
            (".l[?(@.a.b > @.c)].d", "l ?(a b, c) d"),
            (".l[?(@.a)].d", "l ?(a) d"),
            (".l[?(@.a==\")]\")].d", "l ?(a) d"),
            (r".l[?(@.a=='\')]')].d", "l ?(a) d"),
            (".l[?(@.f(1)==1)].d", "l ?(f(1)) d"),
            (".l[?(@[0]=='x')]", "l ?(#)"),
            (".l[?(@ == 'x')]", "l ?()"),
            (".größe.ü", "größe ü"),
            (".a.[0]", "a !"),
        ] {
            assert_eq!(show(&steps(path)), want, "{path}");
        }
    }
}
