//! Formats trees as Go does: as JSON, and by `%v` and `%#v`.

use std::fmt::Write as _;

use crd_cel::gofmt;
use serde_json::Value;

use super::Num;

/// The syntax in which a tree is written.
struct TreeSyntax {
    null: &'static str,
    float: fn(f64) -> String,
    /// Writes a string or a key.
    text: fn(&mut String, &str),
    /// The texts before and after the elements of a list.
    list: [&'static str; 2],
    /// The texts before and after the entries of an object.
    map: [&'static str; 2],
    separator: &'static str,
}

/// The syntax of `encoding/json`.
const JSON: TreeSyntax = TreeSyntax {
    null: "null",
    float: gofmt::float_json,
    text: write_string,
    list: ["[", "]"],
    map: ["{", "}"],
    separator: ",",
};

/// The syntax of json-iterator, which writes the paths of managed fields.
const PATH: TreeSyntax = TreeSyntax { float: gofmt::float_json_iterator, ..JSON };

/// The syntax of `%v`.
const VALUE: TreeSyntax = TreeSyntax {
    null: "<nil>",
    float: gofmt::float_v,
    text: String::push_str,
    list: ["[", "]"],
    map: ["map[", "]"],
    separator: " ",
};

/// The syntax of `%#v`.
const SYNTAX: TreeSyntax = TreeSyntax {
    null: "interface {}(nil)",
    float: gofmt::float_v,
    text: |out, text| out.push_str(&gofmt::quote(text)),
    list: ["[]interface {}{", "}"],
    map: ["map[string]interface {}{", "}"],
    separator: ", ",
};

/// Formats a value as Go's `encoding/json` does: compact, with sorted keys, `<`, `>`, `&`, U+2028 and U+2029 escaped,
/// and floats in Go's form.
#[doc(hidden)]
pub fn to_go_string(value: &Value) -> String {
    JSON.print(value)
}

/// Formats a value as the paths of managed fields have it: like [`to_go_string`], but the exponents of floats have at
/// least two digits.
pub(crate) fn to_path_string(value: &Value) -> String {
    PATH.print(value)
}

/// Formats a value as Go's `%v` does: `map[a:1 b:[x <nil>]]`.
pub fn to_go_v(value: &Value) -> String {
    VALUE.print(value)
}

/// Formats a value in Go's syntax: `map[string]interface {}{"a":1, "b":[]interface {}{"x"}}`.
pub fn to_go_syntax(value: &Value) -> String {
    SYNTAX.print(value)
}

/// Formats strings in Go's syntax: `[]string{"a", "b"}`.
pub fn strings_to_go_syntax<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let quoted: Vec<String> = texts.into_iter().map(gofmt::quote).collect();
    format!("[]string{{{}}}", quoted.join(", "))
}

impl TreeSyntax {
    fn print(&self, value: &Value) -> String {
        let mut out = String::new();
        self.write(&mut out, value);
        out
    }

    fn write(&self, out: &mut String, value: &Value) {
        match value {
            Value::Null => out.push_str(self.null),
            Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Value::Number(n) => match Num::of(n) {
                Num::Int(int) => {
                    let _ = write!(out, "{int}");
                }
                Num::Float(float) => out.push_str(&(self.float)(float)),
            },
            Value::String(text) => (self.text)(out, text),
            Value::Array(items) => {
                self.enclose(out, self.list, items, |out, item| self.write(out, item));
            }
            Value::Object(map) => {
                // Sorted here, because another crate may enable `preserve_order` of serde_json.
                let mut entries: Vec<_> = map.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                self.enclose(out, self.map, entries, |out, (key, item)| {
                    (self.text)(out, key);
                    out.push(':');
                    self.write(out, item);
                });
            }
        }
    }

    fn enclose<T>(
        &self,
        out: &mut String,
        [open, close]: [&str; 2],
        parts: impl IntoIterator<Item = T>,
        write: impl Fn(&mut String, T),
    ) {
        out.push_str(open);
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                out.push_str(self.separator);
            }
            write(out, part);
        }
        out.push_str(close);
    }
}

/// Appends a string as Go's `encoding/json` writes it, quotes included.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_in_the_syntax_of_go() {
        for (value, want) in [
            (json!(null), "interface {}(nil)"),
            (json!([]), "[]interface {}{}"),
            (
                json!([1, 1.5, "a\"b", true, null]),
                r#"[]interface {}{1, 1.5, "a\"b", true, interface {}(nil)}"#,
            ),
            (
                json!({"b": {"c": 1e30}, "a": []}),
                r#"map[string]interface {}{"a":[]interface {}{}, "b":map[string]interface {}{"c":1e+30}}"#,
            ),
        ] {
            assert_eq!(to_go_syntax(&value), want);
        }
        assert_eq!(strings_to_go_syntax(["a", "b"]), r#"[]string{"a", "b"}"#);
        assert_eq!(strings_to_go_syntax([]), "[]string{}");
    }
}
