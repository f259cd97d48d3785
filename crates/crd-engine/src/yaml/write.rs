//! Writes a JSON value as YAML that every parser reads back as that value.
//!
//! The layout is that of `kubectl get -o yaml`: sorted keys, two spaces per level, and lists at the level of their key.
//! Text of several lines is written as a literal block, and a long line as a folded block.

use std::fmt::Write as _;

use crd_cel::gofmt;
use serde_json::{Number, Value};

use super::plain::{self, Style};
use crate::json::Num;

/// The number of columns beyond which a line is folded, without its indentation.
const FOLD_AT: usize = 80;

/// The length of a written key, in bytes, beyond which it becomes an explicit key (`? key`). YAML 1.1 limits other keys
/// to 1024 characters.
const LONGEST_KEY: usize = 1000;

/// Formats a value as one YAML document, with a newline at its end.
///
/// The same value gives the same bytes, whatever the order of its keys.
pub fn to_string(value: &Value) -> String {
    with_numbers(value, write_number)
}

/// Formats values as documents of YAML, each preceded by `---`.
pub fn to_documents(values: &[Value]) -> String {
    let mut out = String::new();
    for value in values {
        out.push_str("---\n");
        out.push_str(&to_string(value));
    }
    out
}

/// Formats a value as [`to_string`] does, with the numbers of an answer of the server: a float without a fraction is an
/// integer there.
///
/// Source: `JSONToYAML` of `sigs.k8s.io/yaml`, which reads JSON as YAML, and `floatv` of go-yaml.
#[doc(hidden)]
pub fn to_answer(value: &Value) -> String {
    with_numbers(value, write_go_number)
}

/// Writes a number.
type WriteNumber = fn(&mut String, &Number);

fn with_numbers(value: &Value, numbers: WriteNumber) -> String {
    let mut out = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => write_map(&mut out, map, 0, false, numbers),
        Value::Array(items) if !items.is_empty() => write_list(&mut out, items, 0, false, numbers),
        scalar => {
            write_scalar(&mut out, scalar, 0, numbers);
            out.push('\n');
        }
    }
    out
}

/// Writes the entries of a map. With `inline`, the first one follows a dash on the same line.
fn write_map(
    out: &mut String,
    map: &serde_json::Map<String, Value>,
    level: usize,
    inline: bool,
    numbers: WriteNumber,
) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 || !inline {
            indent(out, level);
        }
        let start = out.len();
        write_line(out, key);
        if out.len() - start > LONGEST_KEY {
            out.insert_str(start, "? ");
            out.push('\n');
            indent(out, level);
        }
        out.push(':');
        match value {
            Value::Object(map) if !map.is_empty() => {
                out.push('\n');
                write_map(out, map, level + 1, false, numbers);
            }
            Value::Array(items) if !items.is_empty() => {
                out.push('\n');
                write_list(out, items, level, false, numbers);
            }
            scalar => {
                out.push(' ');
                write_scalar(out, scalar, level, numbers);
                out.push('\n');
            }
        }
    }
}

/// Writes the items of a list. With `inline`, the first one follows another dash on the same line.
fn write_list(out: &mut String, items: &[Value], level: usize, inline: bool, numbers: WriteNumber) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 || !inline {
            indent(out, level);
        }
        out.push_str("- ");
        match item {
            Value::Object(map) if !map.is_empty() => write_map(out, map, level + 1, true, numbers),
            Value::Array(items) if !items.is_empty() => {
                write_list(out, items, level + 1, true, numbers);
            }
            scalar => {
                write_scalar(out, scalar, level, numbers);
                out.push('\n');
            }
        }
    }
}

fn indent(out: &mut String, level: usize) {
    const SPACES: &str = "                                                                ";
    let mut columns = 2 * level;
    while let Some(spaces) = SPACES.get(..columns.min(SPACES.len())).filter(|s| !s.is_empty()) {
        out.push_str(spaces);
        columns -= spaces.len();
    }
}

/// Writes a value without children. A string may become a block one level deeper.
fn write_scalar(out: &mut String, value: &Value, level: usize, numbers: WriteNumber) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(number) => numbers(out, number),
        Value::String(text) if is_literal(text) => write_literal(out, text, level + 1),
        Value::String(text) if is_foldable(text) => write_folded(out, text, level + 1),
        Value::String(text) => write_line(out, text),
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
    }
}

/// Writes a number so that YAML 1.1 reads a float as one: with a dot, and with a sign in the exponent.
fn write_number(out: &mut String, number: &Number) {
    if number.is_u64() || number.is_i64() {
        let _ = write!(out, "{number}");
        return;
    }
    let Num::Float(float) = Num::of(number) else { return };
    let text = format!("{float:?}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        out.push_str(&text);
        return;
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    let _ = write!(out, "{mantissa}{point}e{sign}{exponent}");
}

/// Writes a number as go-yaml writes what it has read from JSON.
fn write_go_number(out: &mut String, number: &Number) {
    let Num::Float(float) = Num::of(number) else {
        let _ = write!(out, "{number}");
        return;
    };
    let json = gofmt::float_json(float);
    let integer =
        json.parse::<i64>().map(i128::from).or_else(|_| json.parse::<u64>().map(i128::from));
    match integer {
        Ok(integer) => {
            let _ = write!(out, "{integer}");
        }
        Err(_) => out.push_str(&gofmt::float_v(float)),
    }
}

/// Writes text on one line.
fn write_line(out: &mut String, text: &str) {
    match plain::style(text) {
        Style::Plain => out.push_str(text),
        Style::Single => {
            out.push('\'');
            out.push_str(&text.replace('\'', "''"));
            out.push('\'');
        }
        Style::Double => write_double(out, text),
    }
}

fn write_double(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if plain::is_printable(c) => out.push(c),
            c if u32::from(c) <= 0xff => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if u32::from(c) <= 0xffff => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
}

/// Returns whether text of several lines can be written as a literal block.
///
/// A block has no escapes, takes its indentation from its first line, and ends with one newline or none.
fn is_literal(text: &str) -> bool {
    text.contains('\n')
        && plain::all_printable(text)
        && !text.starts_with([' ', '\n'])
        && !text.ends_with("\n\n")
        && text.lines().all(|line| !line.starts_with(' ') || line.bytes().any(|byte| byte != b' '))
}

fn write_literal(out: &mut String, text: &str, level: usize) {
    out.push_str(if text.ends_with('\n') { "|" } else { "|-" });
    for line in text.lines() {
        out.push('\n');
        if !line.is_empty() {
            indent(out, level);
            out.push_str(line);
        }
    }
}

/// Returns whether one long line can be folded at its spaces.
///
/// A line break of a folded block stands for a single space, so text with consecutive spaces, or with a space at its
/// beginning or end, is not folded.
fn is_foldable(text: &str) -> bool {
    text.len() > FOLD_AT
        && text.contains(' ')
        && !text.contains('\n')
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !plain::has_two_spaces(text)
        && plain::all_printable(text)
}

fn write_folded(out: &mut String, text: &str, level: usize) {
    out.push_str(">-");
    if text.is_ascii() {
        write_lines(out, text, level);
    } else {
        write_words(out, text, level);
    }
}

/// Writes folded text word by word.
fn write_words(out: &mut String, text: &str, level: usize) {
    let mut column = FOLD_AT;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column + 1 + width > FOLD_AT {
            out.push('\n');
            indent(out, level);
            column = width;
        } else {
            out.push(' ');
            column += 1 + width;
        }
        out.push_str(word);
    }
}

/// PERF: does what [`write_words`] does for ASCII text, in which a character is a byte, but a line at a time.
fn write_lines(out: &mut String, mut text: &str, level: usize) {
    while !text.is_empty() {
        let end = match text.get(..=FOLD_AT) {
            None => text.len(),
            Some(head) => head.rfind(' ').or_else(|| text.find(' ')).unwrap_or(text.len()),
        };
        let (line, rest) = text.split_at(end);
        out.push('\n');
        indent(out, level);
        out.push_str(line);
        text = rest.strip_prefix(' ').unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: &Value, want: &str) {
        assert_eq!(to_string(value), want);
    }

    #[test]
    fn shape() {
        check(
            &json!({"b": [1, {"d": [], "c": {}}], "a": null}),
            "a: null\nb:\n- 1\n- c: {}\n  d: []\n",
        );
        check(&json!([[1, [2]], [{"a": [3]}]]), "- - 1\n  - - 2\n- - a:\n    - 3\n");
        check(&json!("x"), "x\n");
        check(&json!({}), "{}\n");
    }

    #[test]
    fn numbers() {
        check(
            &json!([1, -1, u64::MAX, 1.5, 1e21, 1e-7, 1.0]),
            "- 1\n- -1\n- 18446744073709551615\n- 1.5\n- 1.0e+21\n- 1.0e-7\n- 1.0\n",
        );
    }

    #[test]
    fn keys_are_quoted_like_values() {
        check(
            &json!({"on": 1, "a b": 2, "": 3, "- x": 4}),
            "\"\": 3\n'- x': 4\na b: 2\n\"on\": 1\n",
        );
        let long = "k".repeat(2000);
        check(&json!({ "a": { long.as_str(): 1 } }), &format!("a:\n  ? {long}\n  : 1\n"));
    }

    #[test]
    fn text_of_several_lines_is_a_literal_block() {
        check(&json!({"a": "x\n  y\n\nz"}), "a: |-\n  x\n    y\n\n  z\n");
        check(&json!({"a": "x\ny\n"}), "a: |\n  x\n  y\n");
        check(&json!(["x\ny"]), "- |-\n  x\n  y\n");
        check(
            &json!(["x\n\n", " x\ny", "x\t\ny"]),
            "- \"x\\n\\n\"\n- \" x\\ny\"\n- \"x\\t\\ny\"\n",
        );
    }

    #[test]
    fn a_long_line_is_folded_at_its_spaces() {
        let text = "word ".repeat(20);
        let text = text.trim_end();
        let first_line = vec!["word"; 16].join(" ");
        check(&json!({"a": text}), &format!("a: >-\n  {first_line}\n  word word word word\n"));
        for len in 75..90 {
            let (one, two) = ("a".repeat(len), "b".repeat(len - 60));
            let text = format!("{two} {one} c {two} {two} {two} {two} {one}");
            let (mut by_words, mut by_lines) = (String::new(), String::new());
            write_words(&mut by_words, &text, 1);
            write_lines(&mut by_lines, &text, 1);
            assert_eq!(by_lines, by_words);
        }
        let with_two_spaces = format!("{text}  double");
        check(&json!({ "a": with_two_spaces }), &format!("a: {with_two_spaces}\n"));
    }
}
