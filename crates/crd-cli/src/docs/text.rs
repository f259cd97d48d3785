//! Texts of a format: descriptions, which are Markdown, and code.

use std::fmt::Write as _;

use crd_model::doc_comments::{Fences, Line};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use serde_json::Value;

/// Schemes that links may have.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Returns Markdown as HTML. Raw HTML is text, links with other schemes lead nowhere, and images are links, so that the
/// page loads nothing.
pub(super) fn html(markdown: &str) -> String {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock | Tag::Heading { .. }) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock | TagEnd::Heading(_)) => Event::End(TagEnd::Paragraph),
        Event::Start(
            Tag::Link { link_type, dest_url, title, id }
            | Tag::Image { link_type, dest_url, title, id },
        ) => {
            let dest_url = if is_safe(&dest_url) { dest_url } else { "#".into() };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        other => other,
    });
    let mut out = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut out, events);
    out
}

fn is_safe(url: &str) -> bool {
    match url.split_once([':', '/', '?', '#']) {
        Some((scheme, _)) if url[scheme.len()..].starts_with(':') => {
            SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
        _ => true,
    }
}

/// Returns Markdown without raw HTML and headings.
pub(super) fn markdown(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut fences = Fences::default();
    for line in markdown.lines() {
        if fences.read(line) == Line::Text {
            if line.starts_with('#') {
                out.push('\\');
            }
            out.push_str(&without_tags(line));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    if let Some(closing) = fences.closing() {
        // It would swallow what follows.
        out.push_str(&closing);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Returns Markdown as one line of a table.
pub(super) fn markdown_cell(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let (mut fences, mut is_new) = (Fences::default(), true);
    for line in markdown.lines() {
        let text = line.trim();
        let kind = fences.read(line);
        if kind == Line::Fence {
            is_new = false;
            continue;
        }
        if text.is_empty() {
            is_new = false;
            out.push_str(if out.is_empty() { "" } else { "<br>" });
            continue;
        }
        let is_item = text.starts_with(['-', '*', '+', '#'])
            || text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ");
        if !out.is_empty() {
            out.push_str(if kind == Line::Code || is_item || !is_new { "<br>" } else { " " });
        }
        is_new = true;
        if kind == Line::Code {
            out.push_str(&markdown_code(line));
        } else {
            out.push_str(&without_tags(text).replace('|', "\\|"));
        }
    }
    out
}

/// Escapes what begins a tag, outside of code.
fn without_tags(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let last = parts.len() - 1;
    let parts = parts.into_iter().enumerate().map(|(index, part)| {
        // A backtick without a second one begins no code.
        let is_code = index % 2 == 1 && index < last;
        if is_code { part.to_owned() } else { part.replace('<', "&lt;") }
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Returns a text as code in Markdown, also in a table.
pub(super) fn markdown_code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 || text.trim() != text { " " } else { "" };
    if text.is_empty() { text } else { format!("{fence}{pad}{text}{pad}{fence}") }
}

/// Returns a text as a block of code in Markdown.
pub(super) fn markdown_block(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{language}\n{}\n{fence}", text.trim_end())
}

/// Returns Markdown as `AsciiDoc`, with the blocks that a cell of the style `a` can have.
pub(super) fn asciidoc(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len() * 2);
    // Marks of the lists around, such as `**`.
    let mut marks: Vec<char> = Vec::new();
    let mut is_code = false;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::List(first)) => {
                marks.push(if first.is_some() { '.' } else { '*' });
            }
            Event::Start(Tag::Item) => {
                let mark = marks.last().copied().unwrap_or('*');
                let depth = marks.iter().filter(|other| **other == mark).count();
                let _ = write!(out, "\n{} ", mark.to_string().repeat(depth));
            }
            Event::End(TagEnd::List(_)) => {
                marks.pop();
                out.push('\n');
            }
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = true;
                out.push_str("\n----\n");
            }
            Event::End(TagEnd::CodeBlock) => {
                is_code = false;
                out.push_str("----\n");
            }
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::HtmlBlock) => {
                out.push_str("\n\n");
            }
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => out.push_str("**"),
            Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => out.push_str("__"),
            Event::Start(Tag::Link { dest_url, .. }) if is_safe(&dest_url) => {
                let _ = write!(out, "link:++{}++[", dest_url.replace('|', "%7C"));
            }
            Event::Start(Tag::Link { .. }) => out.push_str("link:#["),
            Event::End(TagEnd::Link) => out.push(']'),
            Event::Code(text) => out.push_str(&asciidoc_code(&text)),
            // A line of dashes would end the block, and a bar the cell.
            Event::Text(text) if is_code => {
                out.push_str(&text.replace('|', "\\|").replace("----", "- - "));
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                out.push_str(&asciidoc_text(&text));
            }
            Event::SoftBreak => out.push(' '),
            Event::HardBreak => out.push_str(" +\n"),
            _ => {}
        }
    }
    out.trim().to_owned()
}

/// Escapes a text, so that `AsciiDoc` shows it as it is.
pub(super) fn asciidoc_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for char in text.chars() {
        let is_plain = match char {
            ',' | '?' | '!' | '%' | '@' | '$' => true,
            // At the start of a line, and twice, they mean something.
            '.' | ':' | '-' => before.is_some() && before != Some(char),
            '/' => before.is_some(),
            other => !other.is_ascii_punctuation(),
        };
        match char {
            '\n' => out.push(' '),
            _ if is_plain => out.push(char),
            _ => {
                let _ = write!(out, "&#{};", u32::from(char));
            }
        }
        before = Some(char);
    }
    out
}

/// Returns a text as code in `AsciiDoc`.
pub(super) fn asciidoc_code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("``{}``", asciidoc_text(text)) }
}

/// Joins the lines of a text that are not empty.
pub(super) fn joined(text: &str, by: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(by)
}

/// Returns a value as a reader expects it: a text as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_fence_holds_a_shorter_one() {
        let text = "````\n```\n# a <b>\n```\n````\n# c <d>";
        assert_eq!(markdown(text), "````\n```\n# a <b>\n```\n````\n\\# c &lt;d>");
        assert_eq!(markdown("~~~\n# a"), "~~~\n# a\n~~~");
        assert_eq!(markdown_cell("so:\n~~~\na <b>\n~~~"), "so:<br>`a <b>`");
    }
}
