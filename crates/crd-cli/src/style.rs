//! Colours of output, which streams that are not terminals drop; and text from files, which is escaped.

use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};

/// Text in a style.
pub(super) struct Styled<T>(Style, T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), text(&self.1), self.0.render_reset())
    }
}

/// Errors and removed lines.
pub(super) fn bad<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Red.on_default(), text)
}

/// Successes and added lines.
pub(super) fn good<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Green.on_default(), text)
}

/// Warnings.
pub(super) fn warning<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Yellow.on_default(), text)
}

/// Places in files and in diffs.
pub(super) fn place<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Cyan.on_default(), text)
}

/// Text that may come from a file.
pub(super) struct Text<T> {
    text: T,
    is_word: bool,
}

/// Escapes text from a file for human readers. Control characters could change the colours or the title of a terminal or
/// hide what was printed before, and a line that begins with `::` would be a command to GitHub's runner.
pub(super) fn text<T: fmt::Display>(text: T) -> Text<T> {
    Text { text, is_word: false }
}

/// Escapes text as [`text`] does, and also its line breaks.
pub(super) fn word<T: fmt::Display>(text: T) -> Text<T> {
    Text { text, is_word: true }
}

impl<T: fmt::Display> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.to_string();
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                f.write_str(if self.is_word { "\\n" } else { "\n" })?;
            }
            if line.trim_start().starts_with("::") && !self.is_word {
                f.write_char('\\')?;
            }
            for c in line.chars() {
                if is_dangerous(c) {
                    write!(f, "{}", c.escape_unicode())?;
                } else {
                    f.write_char(c)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a character controls a terminal, or the order in which others are shown.
fn is_dangerous(c: char) -> bool {
    c.is_control() && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let evil = "X\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\r";
        let want = r"X\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\u{d}";
        assert_eq!(text(evil).to_string(), want);
        assert_eq!(text("a\tb\n c").to_string(), "a\tb\n c");
        assert_eq!(word("a\nb").to_string(), r"a\nb");
    }

    #[test]
    fn no_line_is_a_workflow_command() {
        assert_eq!(text("a\n  ::error::b\n::c").to_string(), "a\n\\  ::error::b\n\\::c");
        assert_eq!(text("::stop").to_string(), "\\::stop");
    }
}
