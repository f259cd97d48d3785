//! Names and strings in rules that the derive writes.

use crd_cel::gofmt;

/// Words that CEL keeps for itself; as fields they are written `__word__`.
///
/// Source: apiserver `pkg/cel/escaping.go`, `celReservedSymbols`.
const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// A property's name as CEL selects it.
///
/// Source: apiserver `pkg/cel/escaping.go`, `Escape`.
#[must_use]
pub fn cel_field(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    let mut escaped = String::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let replaced = match c {
            '_' if rest.starts_with("__") => "__underscores__",
            '.' => "__dot__",
            '-' => "__dash__",
            '/' => "__slash__",
            _ => {
                escaped.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        escaped.push_str(replaced);
        rest = &rest[if c == '_' { 2 } else { 1 }..];
    }
    escaped
}

/// A string literal of CEL.
#[must_use]
pub fn cel_string(text: &str) -> String {
    gofmt::quote(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_escaped() {
        for (name, want) in [
            ("replicas", "replicas"),
            ("a-b.c/d", "a__dash__b__dot__c__slash__d"),
            ("a__b", "a__underscores__b"),
            ("namespace", "__namespace__"),
        ] {
            assert_eq!(cel_field(name), want);
        }
    }
}
