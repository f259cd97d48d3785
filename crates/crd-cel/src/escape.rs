//! Property names as identifiers.
//!
//! Source: `k8s.io/apiserver/pkg/cel/escaping.go`.

use std::borrow::Cow;

/// The words that CEL reserves: as a property name each becomes `__word__`.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// Whether CEL reserves a word.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// The identifier for a property name, such as `a__dash__b` for `a-b`.
///
/// `None` if the name is empty, begins with a digit, or has a character other than ASCII letters,
/// digits, `_`, `.`, `-` and `/`.
pub fn escape(name: &str) -> Option<Cow<'_, str>> {
    let first = name.bytes().next()?;
    if first.is_ascii_digit() {
        return None;
    }
    if is_reserved(name) {
        return Some(Cow::Owned(format!("__{name}__")));
    }
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/')) {
        return None;
    }
    if !name.contains("__") && !name.contains(['.', '-', '/']) {
        return Some(Cow::Borrowed(name));
    }
    let mut out = String::with_capacity(name.len() + 16);
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let (text, len) = match c {
            '_' if rest.starts_with("__") => ("__underscores__", 2),
            '.' => ("__dot__", 1),
            '-' => ("__dash__", 1),
            '/' => ("__slash__", 1),
            _ => (&rest[..c.len_utf8()], c.len_utf8()),
        };
        out.push_str(text);
        rest = &rest[len..];
    }
    Some(Cow::Owned(out))
}

/// The property name of an identifier, such as `a-b` for `a__dash__b`.
///
/// Each `__x__` whose `x` has no underscores is replaced; a reserved word only if it is the whole
/// identifier. `None` if `x` has no meaning, as in `__foo__`.
pub fn unescape(ident: &str) -> Option<Cow<'_, str>> {
    if !ident.contains("__") {
        return Some(Cow::Borrowed(ident));
    }
    let mut out = String::with_capacity(ident.len());
    let mut rest = ident;
    while let Some(start) = rest.find("__") {
        let inner = &rest[start + 2..];
        let end = inner.find('_').unwrap_or(inner.len());
        if end == 0 || !inner[end..].starts_with("__") {
            // In `___dot__`, `__dot__` starts one byte after the first `__`.
            let next = start + 1;
            out.push_str(&rest[..next]);
            rest = &rest[next..];
            continue;
        }
        let word = &inner[..end];
        let replacement = match word {
            "underscores" => "__",
            "dot" => ".",
            "dash" => "-",
            "slash" => "/",
            _ if is_reserved(word) && word.len() + 4 == ident.len() => word,
            _ => return None,
        };
        out.push_str(&rest[..start]);
        out.push_str(replacement);
        rest = &inner[end + 2..];
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_identifiers() {
        for (name, ident) in [
            ("a", Some("a")),
            ("", None),
            ("1a", None),
            ("a b", None),
            ("é", None),
            ("namespace", Some("__namespace__")),
            ("a_b", Some("a_b")),
            ("a__b", Some("a__underscores__b")),
            ("a___b", Some("a__underscores___b")),
            ("a.b-c/d", Some("a__dot__b__dash__c__slash__d")),
            ("_.", Some("___dot__")),
            ("int", Some("int")),
        ] {
            assert_eq!(escape(name).as_deref(), ident, "{name}");
            if let Some(ident) = ident {
                assert_eq!(unescape(ident).as_deref(), Some(name), "{ident}");
            }
        }
    }

    #[test]
    fn identifiers_that_nothing_escapes_to() {
        for (ident, name) in [
            ("namespace", Some("namespace")),
            ("a__b", Some("a__b")),
            ("__namespace__x", None),
            ("__foo__", None),
        ] {
            assert_eq!(unescape(ident).as_deref(), name, "{ident}");
        }
    }
}
