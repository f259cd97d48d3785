//! Markdown as GitHub renders it.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::finding::{Finding, Severity};
use crate::style;

/// Writes a finding as an item of a list. Notes with a language are code blocks.
pub(super) fn write(out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let mark = match finding.severity {
        Severity::Error => "\u{274c}",
        Severity::Warning => "\u{26a0}\u{fe0f}",
        Severity::Note => "\u{2139}\u{fe0f}",
    };
    let (subject, message) = (escape(&finding.subject), escape(&finding.message));
    writeln!(
        out,
        "- {mark} **{}** {subject} ({}): {message}",
        finding.rule,
        escape(&finding.place.to_string())
    )?;
    for note in &finding.notes {
        let (title, text) = (escape(&note.title), note.text.trim_end());
        match note.language {
            None => writeln!(out, "  - {title}: {}", escape(text))?,
            Some(language) => {
                let fence = "`".repeat(longest_run(text).max(2) + 1);
                let text = style::text(text).to_string();
                writeln!(out, "  - {title}:\n\n    {fence}{language}")?;
                text.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
                writeln!(out, "    {fence}")?;
            }
        }
    }
    finding.help.as_ref().map_or(Ok(()), |help| writeln!(out, "  - help: {}", escape(help)))
}

/// Returns the length of the longest run of backticks, which a fence must exceed.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Escapes what Markdown or HTML would take for markup. Code in backticks is left as it is.
fn escape(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for c in style::word(text).to_string().chars() {
        is_code ^= c == '`';
        if !is_code && matches!(c, '*' | '_' | '<' | '>' | '[' | ']' | '|' | '#' | '~' | '@') {
            let _ = write!(out, "\\{c}");
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_except_in_code() {
        assert_eq!(escape("a_b `c_d` <b>\n@x"), "a\\_b `c_d` \\<b\\>\\n\\@x");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(longest_run("a ```` b ` c"), 4);
        assert_eq!(longest_run("abc"), 0);
    }
}
