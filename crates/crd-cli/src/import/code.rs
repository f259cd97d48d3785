//! Pieces of Rust source: literals, attributes and doc comments, each at most 100 columns wide.

use std::fmt::Write as _;

use crd_model::doc_comments::{self, Fences, Line};
use serde_json::{Map, Number, Value};

/// The widest line.
pub(super) const WIDTH: usize = 100;
/// What can follow a text on its line: `"`, brackets and a comma.
const CLOSING: usize = 5;
/// How much further what belongs to a line is indented.
const INDENT: usize = 4;

/// A key of `#[crd(..)]`, such as `max_length = 63`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pieces: Vec<Piece>,
    /// The JSON of `patch = json!(..)`.
    patch: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Code(String),
    /// A string, written as a literal that may span lines.
    Text(String),
    /// JSON, written for `json!`.
    Json(String),
    /// Keys in parentheses, each on a line if they do not fit on one.
    Args(Vec<Key>),
}

impl Key {
    fn new(pieces: Vec<Piece>) -> Self {
        Self { pieces, patch: None }
    }

    pub(super) fn flag(name: &str) -> Self {
        Self::new(vec![Piece::Code(name.to_owned())])
    }

    /// `name = code`
    pub(super) fn code(name: &str, code: impl std::fmt::Display) -> Self {
        Self::new(vec![Piece::Code(format!("{name} = {code}"))])
    }

    /// `name = "text"`
    pub(super) fn text(name: &str, text: &str) -> Self {
        Self::new(vec![Piece::Code(format!("{name} = ")), Piece::Text(text.to_owned())])
    }

    /// `name = value` with a literal for a scalar, and `json!(..)` for any other value.
    pub(super) fn value(name: &str, value: &Value) -> Self {
        let start = Piece::Code(format!("{name} = "));
        match value {
            Value::String(text) => Self::text(name, text),
            Value::Array(_) | Value::Object(_) | Value::Null => {
                let json = Piece::Json(json(value, 0));
                Self::new(vec![
                    start,
                    Piece::Code("json!(".to_owned()),
                    json,
                    Piece::Code(")".to_owned()),
                ])
            }
            scalar => Self::code(name, scalar),
        }
    }

    /// `patch = json!({..})`, what the derive would otherwise generate differently.
    pub(super) fn patch(patch: Map<String, Value>) -> Self {
        let key = Self::value("patch", &Value::Object(patch.clone()));
        Self { patch: Some(patch), ..key }
    }

    /// `name("a", "b")`
    pub(super) fn strings<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::call(name, texts.into_iter().map(Self::argument))
    }

    /// `name(a, b = 1)`
    pub(super) fn call(name: &str, args: impl IntoIterator<Item = Self>) -> Self {
        Self::new(vec![Piece::Code(name.to_owned()), Piece::Args(args.into_iter().collect())])
    }

    /// An argument without a name.
    pub(super) fn argument(text: &str) -> Self {
        Self::new(vec![Piece::Text(text.to_owned())])
    }

    /// A literal without a name.
    pub(super) fn literal(code: impl std::fmt::Display) -> Self {
        Self::new(vec![Piece::Code(code.to_string())])
    }

    /// Makes one patch of several, at the end.
    pub(super) fn merge_patches(keys: Vec<Self>) -> Vec<Self> {
        let mut all = Map::new();
        let mut rest = Vec::new();
        for key in keys {
            match key.patch {
                Some(patch) => all.extend(patch),
                None => rest.push(key),
            }
        }
        if !all.is_empty() {
            rest.push(Self::patch(all));
        }
        rest
    }

    /// Returns the key on one line.
    fn flat(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Code(code) => code.clone(),
            Piece::Json(json) => json.lines().map(str::trim_start).collect::<Vec<_>>().join(" "),
            Piece::Text(text) => string(text),
            Piece::Args(args) => {
                format!("({})", args.iter().map(Self::flat).collect::<Vec<_>>().join(", "))
            }
        });
        pieces.collect()
    }

    /// Writes the key over several lines, as rustfmt would: it starts at column `column` of a line that is indented by
    /// `indent`.
    fn wrapped(&self, column: usize, indent: usize) -> String {
        let margin = " ".repeat(indent);
        let inner = indent + INDENT;
        let mut out = String::new();
        let mut column = column;
        for piece in &self.pieces {
            let text = match piece {
                Piece::Code(code) => code.clone(),
                Piece::Json(json) => json.replace('\n', &format!("\n{margin}")),
                Piece::Text(text) if column + string(text).len() + CLOSING <= WIDTH => string(text),
                Piece::Text(text) => wrapped_string(text, column, inner),
                Piece::Args(args) => {
                    let args = args.iter().map(|arg| {
                        let flat = arg.flat();
                        let fits = !flat.contains('\n') && inner + flat.chars().count() < WIDTH;
                        let text = if fits { flat } else { arg.wrapped(inner, inner) };
                        format!("{margin}{:INDENT$}{text},\n", "")
                    });
                    format!("(\n{}{margin})", args.collect::<String>())
                }
            };
            out.push_str(&text);
            column = match text.rsplit_once('\n') {
                Some((_, last)) => last.chars().count(),
                None => column + text.chars().count(),
            };
        }
        out
    }
}

/// Writes keys as attributes: as many on a line as fit, in one `#[crd(..)]` each line.
pub(super) fn attributes(keys: &[Key], indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut out = String::new();
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        if !line.is_empty() {
            let _ = writeln!(out, "{margin}#[crd({line})]");
            line.clear();
        }
    };
    for key in keys {
        let flat = key.flat();
        let room = WIDTH - indent - "#[crd()]".len();
        if flat.contains('\n') || flat.chars().count() > room {
            flush(&mut line, &mut out);
            let text = key.wrapped(indent + "#[crd(".len(), indent);
            let _ = writeln!(out, "{margin}#[crd({text})]");
            continue;
        }
        if !line.is_empty() && line.chars().count() + 2 + flat.chars().count() > room {
            flush(&mut line, &mut out);
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&flat);
    }
    flush(&mut line, &mut out);
    out
}

/// Returns a string literal on one line, raw if that avoids escapes.
pub(super) fn string(text: &str) -> String {
    let printable = text.chars().all(|c| !c.is_control());
    if printable && text.contains(['\\', '"']) {
        let mut hashes = String::new();
        while text.contains(&format!("\"{hashes}")) {
            hashes.push('#');
        }
        return format!("r{hashes}\"{text}\"{hashes}");
    }
    format!("\"{}\"", escaped(text))
}

/// Escapes a text for a literal that is not raw. Unlike `char::escape_default`, letters of any language stay.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' | '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            // Marks that change the direction of text are an error in a literal.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.extend(c.escape_unicode()),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Returns a string literal over several lines. A `\` at the end of a line continues the literal behind the blanks of
/// the next line, so no line of the literal starts with a blank.
fn wrapped_string(text: &str, column: usize, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut out = "\"".to_owned();
    let mut column = column + 1;
    let chars: Vec<char> = text.chars().collect();
    let mut start = 0;
    while start < chars.len() {
        // The longest piece that fits, but not before a blank, which the continuation would skip.
        let mut end = start;
        let mut width = 0;
        let mut cut: Option<(usize, bool)> = None;
        while end < chars.len() {
            width += escaped(&chars[end].to_string()).chars().count();
            if column + width + CLOSING > WIDTH {
                break;
            }
            end += 1;
            let next_is_blank = chars.get(end).is_some_and(|next| next.is_whitespace());
            if !next_is_blank {
                let after_blank = chars[end - 1].is_whitespace();
                if after_blank || cut.is_none_or(|(_, words)| !words) {
                    cut = Some((end, after_blank));
                }
            }
        }
        let end = if end == chars.len() {
            end
        } else {
            // A run of blanks that is longer than a line stays on it.
            cut.map_or_else(
                || {
                    (start + 1..chars.len())
                        .find(|&at| !chars[at].is_whitespace())
                        .unwrap_or(chars.len())
                },
                |(at, _)| at,
            )
        };
        out.push_str(&escaped(&chars[start..end].iter().collect::<String>()));
        start = end;
        if start < chars.len() {
            out.push_str("\\\n");
            out.push_str(&margin);
            column = indent;
        }
    }
    out.push('"');
    out
}

/// Writes JSON for `json!`, whose strings have the escapes of Rust. A short value is one line.
fn json(value: &Value, indent: usize) -> String {
    let flat = flat_json(value);
    if flat.len() + indent <= 72 {
        return flat;
    }
    let margin = " ".repeat(indent + 4);
    let close = " ".repeat(indent);
    match value {
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| format!("{margin}{},\n", json(item, indent + 4)));
            format!("[\n{}{close}]", items.collect::<String>())
        }
        Value::Object(fields) if !fields.is_empty() => {
            let fields = fields.iter().map(|(name, value)| {
                format!("{margin}{}: {},\n", string(name), json(value, indent + 4))
            });
            format!("{{\n{}{close}}}", fields.collect::<String>())
        }
        Value::String(text) => wrapped_string(text, indent + 4, indent + 4),
        _ => flat,
    }
}

fn flat_json(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(flat_json).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", string(name), flat_json(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::String(text) => string(text),
        Value::Number(number) => json_number(number),
        scalar => scalar.to_string(),
    }
}

/// Writes a number for `json!`. rustc takes a literal without a suffix for an `i32`.
fn json_number(number: &Number) -> String {
    match (number.as_i64(), number.as_u64()) {
        (Some(short), _) if i32::try_from(short).is_ok() => short.to_string(),
        (Some(long), _) => format!("{long}_i64"),
        (None, Some(long)) => format!("{long}_u64"),
        (None, None) => number.to_string(),
    }
}

/// A description as documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doc {
    /// Lines of a doc comment, from which the derive makes the same description.
    Comment(Vec<String>),
    /// As `Comment`, but the derive joins lines that the description has.
    Joined(Vec<String>),
    /// Only `description = ".."` is exact: the text has blanks or code that a doc comment changes, or that rustdoc
    /// would compile.
    Attribute(String),
}

/// Chooses how to write a description at this indentation.
pub(super) fn doc(description: &str, indent: usize) -> Doc {
    let attribute = || Doc::Attribute(description.to_owned());
    // rustdoc would compile what looks like code.
    let is_code = ["```", "~~~"].iter().any(|mark| description.contains(mark))
        || description.lines().any(|line| line.starts_with("    ") || line.starts_with('\t'));
    if description.is_empty() || is_code || description.chars().any(|c| c.is_control() && c != '\n')
    {
        return attribute();
    }
    let width = WIDTH - indent - "/// ".len();
    let mut lines = Vec::new();
    // The end of a line that does not fit, before the next one of its paragraph.
    let mut rest = String::new();
    for line in description.split('\n') {
        let continues = !rest.is_empty() && !line.starts_with(' ') && !starts_block(line);
        let line = if continues && !line.is_empty() {
            format!("{} {line}", std::mem::take(&mut rest))
        } else {
            lines.extend((!rest.is_empty()).then(|| std::mem::take(&mut rest)));
            line.to_owned()
        };
        let mut wrapped = wrap(&line, width);
        if is_broken_heading(&line, &wrapped) {
            return attribute();
        }
        if wrapped.len() > 1 {
            rest = wrapped.pop().unwrap_or_default();
        }
        lines.extend(wrapped);
    }
    lines.extend((!rest.is_empty()).then_some(rest));
    let comments: Vec<_> = lines.iter().map(|line| format!(" {line}")).collect();
    let comments: Vec<_> = comments.iter().map(String::as_str).collect();
    let derived = doc_comments::description(&comments);
    let joined = |text: &str| text.split('\n').map(str::trim_start).collect::<Vec<_>>().join(" ");
    if derived == description {
        Doc::Comment(lines)
    } else if joined(&derived) == joined(description) {
        Doc::Joined(lines)
    } else {
        attribute()
    }
}

/// Returns a description whose code or blanks a doc comment changes as lines of one, as close as they come: rustdoc
/// would compile a block of code without a language.
pub(super) fn approximate(description: &str, indent: usize) -> Vec<String> {
    let width = WIDTH - indent - "/// ".len();
    let mut fences = Fences::default();
    let mut out = Vec::new();
    for line in description.lines() {
        match fences.read(line) {
            Line::Code if line.chars().count() <= width => out.push(line.trim_end().to_owned()),
            Line::Code => out.extend(wrap(line, width)),
            Line::Fence => match fences.closing() {
                Some(mark) => out.push(format!("{mark}text")),
                None => out.push(line.trim().to_owned()),
            },
            Line::Text => {
                let line = line.trim().replace("```", "`");
                let lines = wrap(&line, width);
                if is_broken_heading(&line, &lines) {
                    // A paragraph of its own.
                    out.push(String::new());
                    out.extend(wrap(line.trim_start_matches(['#', ' ']), width));
                    out.push(String::new());
                } else {
                    out.extend(lines);
                }
            }
        }
    }
    out.extend(fences.closing());
    out.dedup_by(|line, before| line.is_empty() && before.is_empty());
    out.join("\n").trim_matches('\n').lines().map(str::to_owned).collect()
}

/// Whether a line is wider than a doc comment, and a heading, which is one line of Markdown.
fn is_broken_heading(line: &str, lines: &[String]) -> bool {
    lines.len() > 1 && line.starts_with('#') && doc_comments::starts_block(line)
}

/// Whether a word at the beginning of a line looks like a list or a heading.
fn starts_block(word: &str) -> bool {
    doc_comments::starts_block(&format!("{word} ")) || doc_comments::starts_block(word)
}

/// Breaks a line between words, but not where the next line would begin as a block of Markdown, which the derive would
/// not join again.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let margin = " ".repeat(line.len() - line.trim_start().len());
    let mut current = margin.clone();
    for (index, word) in line.split_whitespace().enumerate() {
        let fits = current.chars().count() + 1 + word.chars().count() <= width;
        if index == 0 {
            current.push_str(word);
        } else if fits {
            current.push(' ');
            current.push_str(word);
        } else if starts_block(word) {
            // It takes the word before to the next line, if that one can begin it.
            let before = current.rsplit_once(' ').filter(|(head, last)| {
                !head.trim().is_empty() && !last.is_empty() && !starts_block(last)
            });
            if let Some((head, last)) = before {
                let next = format!("{margin}{last} {word}");
                out.push(head.to_owned());
                current = next;
            } else {
                current.push(' ');
                current.push_str(word);
            }
        } else {
            out.push(std::mem::take(&mut current));
            current = format!("{margin}{word}");
        }
    }
    out.push(current);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_strings_continue_on_the_next_line() {
        let text = "word ".repeat(40);
        let written = attributes(&[Key::text("description", text.trim_end())], 4);
        assert!(written.lines().all(|line| line.chars().count() <= WIDTH), "{written}");
        assert!(written.lines().count() > 2, "{written}");
        assert!(written.contains("word \\\n        word"), "{written}");
    }

    #[test]
    fn keys_share_a_line() {
        let keys =
            [Key::code("minimum", 1), Key::code("maximum", 9), Key::text("pattern", r"^\d+$")];
        assert_eq!(
            attributes(&keys, 0),
            "#[crd(minimum = 1, maximum = 9, pattern = r\"^\\d+$\")]\n"
        );
    }

    #[test]
    fn arguments_that_do_not_fit_have_a_line_each() {
        let text = "word ".repeat(20);
        let columns = ["Ready", text.trim_end()].map(|name| {
            let path = Key::text("path", ".status.conditions[?(@.type=='Ready')].status");
            Key::call("print_column", [Key::text("name", name), Key::code("priority", 1), path])
        });
        let any_of = json!([{"type": "integer"}, {"type": "string"}]);
        let patch = json!({"anyOf": any_of, "maximum": null, "minimum": null});
        let keys = [&columns[..], &[Key::value("patch", &patch)]].concat();
        assert_eq!(
            attributes(&keys, 0),
            r#"#[crd(print_column(
    name = "Ready",
    priority = 1,
    path = ".status.conditions[?(@.type=='Ready')].status",
))]
#[crd(print_column(
    name = "word word word word word word word word word word word word word word word word \
        word word word word",
    priority = 1,
    path = ".status.conditions[?(@.type=='Ready')].status",
))]
#[crd(patch = json!({
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "maximum": null,
    "minimum": null,
}))]
"#
        );
    }

    #[test]
    fn json_has_the_escapes_of_rust() {
        let key = Key::value("default", &json!({"a": ["x\u{7}\"", null, 1.5], "b": {}}));
        assert_eq!(key.flat(), r#"default = json!({"a": ["x\u{7}\"", null, 1.5], "b": {}})"#);
        let key =
            Key::value("default", &json!([1, 4_294_967_295_u64, u64::MAX, -5_000_000_000_i64]));
        let want =
            "default = json!([1, 4294967295_i64, 18446744073709551615_u64, -5000000000_i64])";
        assert_eq!(key.flat(), want);
    }

    #[test]
    fn descriptions_are_comments_where_the_derive_makes_the_same_text() {
        let comment = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        assert_eq!(doc("One line.", 4), Doc::Comment(comment(&["One line."])));
        assert_eq!(doc("One.\n\n- a\n- b", 4), Doc::Comment(comment(&["One.", "", "- a", "- b"])));
        assert_eq!(doc("One\ntwo.", 4), Doc::Joined(comment(&["One", "two."])));
        assert!(matches!(doc("Like\n```yaml\na: 1\n```", 4), Doc::Attribute(_)));
        assert!(matches!(doc("Two  blanks", 4), Doc::Attribute(_)));
        let Doc::Comment(lines) =
            doc(&"long words - and 1. more ".repeat(20).trim_end().replace("  ", " "), 4)
        else {
            panic!("a comment")
        };
        assert!(
            lines.iter().all(|line| line.len() <= 92 && !doc_comments::starts_block(line)),
            "{lines:?}"
        );
    }

    #[test]
    fn what_rustdoc_would_change_is_approximate_for_clients() {
        let heading = format!("So:\n## {}\nNext.", "word ".repeat(30).trim_end());
        assert!(matches!(doc(&heading, 4), Doc::Attribute(_)));
        let lines = approximate(&heading, 4);
        assert!(lines.iter().all(|line| line.len() <= 92 && !line.starts_with('#')), "{lines:?}");
        let places: Vec<_> = lines.iter().map(String::is_empty).collect();
        assert_eq!(places, [false, true, false, false, true, false], "{lines:?}");
        assert_eq!(approximate("# Short\nso", 4), ["# Short", "so"]);
        let ragged = format!("{}is\nalive.\n- so", "word ".repeat(18));
        let lines = [format!("{}is", "word ".repeat(18)), "alive.".to_owned(), "- so".to_owned()];
        assert_eq!(doc(&ragged, 4), Doc::Joined(lines.to_vec()));
        let issue = format!("#1 {}", "word ".repeat(30).trim_end());
        assert!(matches!(doc(&issue, 4), Doc::Comment(lines) if lines.len() == 2));

        let code = "Like ```a```:\n```\n# one\n  two:  3\n```\nor\n~~~yaml\na: 1";
        let lines =
            ["Like `a`:", "```text", "# one", "  two:  3", "```", "or", "~~~text", "a: 1", "~~~"];
        assert_eq!(approximate(code, 4), lines);
        let comment = format!("```\n# {}\n```", "word ".repeat(30));
        assert!(approximate(&comment, 4).iter().all(|line| line.len() <= 92));
        assert_eq!(approximate("\n\n    indented\n\n", 4), ["indented"]);
    }
}
