//! Resolves field paths such as `.spec.replicas` or `['a.b']` in a schema.

use std::fmt::{self, Write as _};

use super::structural::Structural;

/// How a path may name a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `.name` only.
    Dots,
    /// `.name` and `['name']`.
    DotsAndBrackets,
}

/// A resolved path.
#[derive(Debug, Clone)]
pub(crate) struct Resolved<'s> {
    /// The path as errors show it.
    pub(crate) path: String,
    /// The first element, as the path shows it; `None` for the empty path.
    pub(crate) first: Option<String>,
    /// The schema at the path; `None` below `additionalProperties: true`.
    pub(crate) schema: Option<&'s Structural>,
}

/// Why a path cannot be resolved. Displayed with the server's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldPathError(String);

impl fmt::Display for FieldPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FieldPathError {}

const NO_FIELD: &str = "does not refer to a valid field";
const UNEXPECTED_END: &str = "unexpected end of JSON path";

/// Resolves a path through properties and additional properties. A path cannot refer to the items of a list.
///
/// Divergence: below `additionalProperties: true` the server crashes; here the path is rejected.
///
/// # Errors
/// If the path is malformed, or names a field that the schema does not have.
///
/// Source: `pkg/apiserver/schema/cel/validation.go`, `ValidFieldPath`.
pub(crate) fn resolve<'s>(
    json_path: &str,
    schema: Option<&'s Structural>,
    notation: Notation,
) -> Result<Resolved<'s>, FieldPathError> {
    let fail = |text: String| Err(FieldPathError(text));
    let mut resolved = Resolved { path: String::new(), first: None, schema };
    let mut tokens = Tokens(json_path);
    while let Some(token) = tokens.next() {
        match token {
            "." => {
                let Some(name) = tokens.next() else { return fail(UNEXPECTED_END.to_owned()) };
                resolved.descend(name)?;
            }
            "[" if notation == Notation::Dots => {
                return fail("array notation is not allowed".to_owned());
            }
            "[" => {
                let Some(quoted) = tokens.next() else { return fail(UNEXPECTED_END.to_owned()) };
                let inner = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                let Some(inner) = inner else {
                    return fail(format!("expected single quoted string but got {quoted}"));
                };
                resolved.descend(&unescape(inner)?)?;
                match tokens.next() {
                    Some("]") => {}
                    Some(other) => return fail(format!("expected ] but got {other}")),
                    None => return fail(UNEXPECTED_END.to_owned()),
                }
            }
            other => return fail(format!("expected [ or . but got: {other}")),
        }
    }
    Ok(resolved)
}

impl Resolved<'_> {
    fn descend(&mut self, name: &str) -> Result<(), FieldPathError> {
        let no_field = || FieldPathError(NO_FIELD.to_owned());
        let schema = self.schema.ok_or_else(no_field)?;
        if !schema.properties.is_empty() {
            self.schema = Some(schema.properties.get(name).ok_or_else(no_field)?);
            if !self.path.is_empty() {
                self.path.push('.');
            }
            self.path.push_str(name);
        } else if schema.additional_properties.is_some() {
            self.schema = schema.additional_schema();
            let _ = write!(self.path, "[{name}]");
        } else {
            return Err(no_field());
        }
        // Upstream: this is the printed element, such as `spec` or `[a]`, so that the key of a map is never taken for
        // the name of a field.
        self.first.get_or_insert_with(|| self.path.clone());
        Ok(())
    }
}

/// Splits a path into delimiters, quoted strings, and the text between them.
struct Tokens<'p>(&'p str);

impl<'p> Iterator for Tokens<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        let text = self.0;
        let first = text.bytes().next()?;
        let end = if first == b'\'' {
            let bytes = text.as_bytes();
            let closes = |at: &usize| bytes[*at] == b'\'' && bytes[at - 1] != b'\\';
            (1..bytes.len()).find(closes).map_or(text.len(), |at| at + 1)
        } else if matches!(first, b'.' | b'[' | b']') {
            1
        } else {
            text.find(['.', '[', ']']).unwrap_or(text.len())
        };
        let (token, rest) = text.split_at_checked(end)?;
        self.0 = rest;
        Some(token)
    }
}

/// Replaces the escapes in a quoted name. Of several bad escapes the last is reported. Source: `unescapeSingleQuote`.
fn unescape(text: &str) -> Result<String, FieldPathError> {
    let mut out = String::with_capacity(text.len());
    let mut bad = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('a') => out.push('\x07'),
            Some('b') => out.push('\x08'),
            Some('f') => out.push('\x0c'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('v') => out.push('\x0b'),
            Some(same @ ('\'' | '\\')) => out.push(same),
            // A backslash before a line break is not an escape.
            Some('\n') => out.push_str("\\\n"),
            Some(other) => bad = Some(other),
            None => out.push('\\'),
        }
    }
    match bad {
        Some(other) => {
            Err(FieldPathError(format!("invalid string literal: invalid escape char \\{other}")))
        }
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::JsonSchemaProps;

    #[track_caller]
    fn check(json_path: &str, notation: Notation, want: &str) {
        let props: JsonSchemaProps = serde_json::from_str(
            r#"{"type":"object","properties":{
                "a":{"type":"object","properties":{"b.c":{"type":"string"},"it's":{"type":"string"}}},
                "m":{"type":"object","additionalProperties":{"type":"string"}},
                "t":{"type":"object","additionalProperties":true},
                "l":{"type":"array","items":{"type":"string"}}}}"#,
        )
        .unwrap();
        let schema = Structural::try_from(&props).unwrap();
        let got = match resolve(json_path, Some(&schema), notation) {
            Ok(resolved) => resolved.path,
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{json_path}");
    }

    #[test]
    fn paths() {
        let both = Notation::DotsAndBrackets;
        check("", both, "");
        check(".a", both, "a");
        check(".a['b.c']", both, "a.b.c");
        check(r".a['it\'s']", both, "a.it's");
        check("['a']", both, "a");
        check(".m.x", both, "m[x]");
        check(".t.x", both, "t[x]");
        check(".t.x.y", both, NO_FIELD);
        check(".m.x.y", both, NO_FIELD);
        check(".l[0]", both, "expected single quoted string but got 0");
        check(".l['0']", both, NO_FIELD);
        check(".zz", both, NO_FIELD);
        check(".a.", both, UNEXPECTED_END);
        check(".a['b.c'", both, UNEXPECTED_END);
        check(".a['b.c'.", both, "expected ] but got .");
        check("a", both, "expected [ or . but got: a");
        check(r".a['\y']", both, r"invalid string literal: invalid escape char \y");
        check(".a['b.c']", Notation::Dots, "array notation is not allowed");
    }
}
