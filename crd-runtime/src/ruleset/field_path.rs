//! `fieldPath` of a rule: `.name` and `['name']`, checked against the schema.
//!
//! Source: `pkg/apiserver/schema/cel/validation.go`, `ValidFieldPath`.

use std::fmt::Write as _;

use crate::schema::Structural;

/// The path as errors print it, relative to the rule's place; `None` where the schema has no such
/// path.
pub(super) fn resolve(path: &str, schema: &Structural) -> Option<String> {
    let mut tokens = Tokens(path);
    let mut schema = Some(schema);
    let mut out = String::new();
    while let Some(token) = tokens.next() {
        let name = match token {
            "." => tokens.next()?.to_owned(),
            "[" => {
                let quoted = tokens.next()?.strip_prefix('\'')?.strip_suffix('\'')?;
                unescape(quoted)?
            }
            _ => return None,
        };
        let parent = schema?;
        if !parent.properties.is_empty() {
            schema = Some(parent.properties.get(&name)?);
            out.push_str(if out.is_empty() { "" } else { "." });
            out.push_str(&name);
        } else {
            // Upstream: below `additionalProperties: true` the path must end, or the server panics.
            parent.additional_properties.as_ref()?;
            schema = parent.additional_schema();
            let _ = write!(out, "[{name}]");
        }
        if token == "[" && tokens.next()? != "]" {
            return None;
        }
    }
    Some(out)
}

/// Single delimiters, quoted strings, and the text between them.
struct Tokens<'p>(&'p str);

impl<'p> Iterator for Tokens<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        let bytes = self.0.as_bytes();
        let end = match bytes.first()? {
            b'.' | b'[' | b']' => 1,
            b'\'' => {
                let closes = |i: &usize| bytes.get(*i) == Some(&b'\'') && bytes[*i - 1] != b'\\';
                (1..bytes.len()).find(closes).map_or(bytes.len(), |i| i + 1)
            }
            _ => {
                let delimits = |b: &u8| matches!(b, b'.' | b'[' | b']');
                bytes.iter().position(delimits).unwrap_or(bytes.len())
            }
        };
        let (token, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(token)
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let unescaped = match chars.next() {
            // A backslash at the end, or before a line break, is no escape.
            None => '\\',
            Some('\n') => {
                out.push('\\');
                '\n'
            }
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some(c @ ('\'' | '\\')) => c,
            Some(_) => return None,
        };
        out.push(unescaped);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::JsonSchemaProps;

    #[track_caller]
    fn check(path: &str, want: Option<&str>) {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": "object", "properties": {
                "b.c": {"type": "string"}, "it's": {"type": "string"}, "plain": {"type": "string"}}},
            "m": {"type": "object", "additionalProperties": {
                "type": "object", "properties": {"x": {"type": "integer"}}}},
            "open": {"type": "object", "additionalProperties": true},
            "l": {"type": "array", "items": {"type": "string"}},
        }});
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        let schema = Structural::try_from(&props).unwrap();
        assert_eq!(resolve(path, &schema).as_deref(), want, "{path}");
    }

    #[test]
    fn names_and_keys() {
        check(".a.plain", Some("a.plain"));
        check("['a']['plain']", Some("a.plain"));
        check(".a['b.c']", Some("a.b.c"));
        check(r".a['it\'s']", Some("a.it's"));
        check(".m.k.x", Some("m[k].x"));
        check(".m['k.1']", Some("m[k.1]"));
        check(".open.k", Some("open[k]"));
        check("", Some(""));
    }

    #[test]
    fn what_is_no_path_of_the_schema() {
        for path in [
            "a",
            ".b",
            ".a.",
            ".a.q",
            "a.plain",
            ".a[plain]",
            ".a['plain'",
            ".a['plain'x",
            ".l[0]",
            ".l['0']",
            ".a.plain.x",
            ".open.k.x",
            r".a['\q']",
            ".",
            "[",
            "..a",
            ".a['plain']b",
        ] {
            check(path, None);
        }
    }
}
