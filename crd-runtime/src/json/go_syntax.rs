//! Formats JSON in Go's syntax, as `%#v` formats the values that Go decodes it to.

use std::fmt::Write as _;

use crd_cel::gofmt;
use serde_json::Value;

use super::Num;

/// Formats a value in Go's syntax: `map[string]interface {}{"a":1, "b":[]interface {}{"x"}}`.
pub(crate) fn to_go_syntax(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// Formats strings in Go's syntax: `[]string{"a", "b"}`.
pub(crate) fn strings_to_go_syntax<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let quoted: Vec<String> = texts.into_iter().map(gofmt::quote).collect();
    format!("[]string{{{}}}", quoted.join(", "))
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("interface {}(nil)"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => match Num::of(n) {
            Num::Int(int) => {
                let _ = write!(out, "{int}");
            }
            Num::Float(float) => out.push_str(&gofmt::float_v(float)),
        },
        Value::String(text) => out.push_str(&gofmt::quote(text)),
        Value::Array(items) => {
            out.push_str("[]interface {}{");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(out, item);
            }
            out.push('}');
        }
        Value::Object(map) => {
            out.push_str("map[string]interface {}{");
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                out.push_str(&gofmt::quote(key));
                out.push(':');
                write_value(out, value);
            }
            out.push('}');
        }
    }
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
