//! Wraps text as `kubectl` does.
//!
//! Source: `WrapString` of github.com/mitchellh/go-wordwrap: a line breaks before the word that does not fit, the
//! whitespace there is dropped, and a word wider than the line is not broken.

/// Wraps text at a width in characters.
pub(super) fn wrap(text: &str, width: usize) -> String {
    let mut wrapped = Wrapped {
        width,
        out: String::with_capacity(text.len()),
        column: 0,
        space: String::new(),
        word: String::new(),
    };
    for c in text.chars() {
        wrapped.push(c);
    }
    wrapped.finish()
}

/// Indents each line of a text, an empty last one too.
pub(super) fn indent(text: &str, amount: usize) -> String {
    let pad = " ".repeat(amount);
    format!("{pad}{}", text.replace('\n', &format!("\n{pad}")))
}

struct Wrapped {
    width: usize,
    out: String,
    /// The number of characters that are written on the line.
    column: usize,
    /// Whitespace that is not written yet.
    space: String,
    /// A word, or the beginning of one, that is not written yet.
    word: String,
}

impl Wrapped {
    fn push(&mut self, c: char) {
        if c == '\n' {
            if !self.word.is_empty() || self.column + count(&self.space) <= self.width {
                self.write();
            }
            self.space.clear();
            self.out.push('\n');
            self.column = 0;
        } else if c.is_whitespace() && c != '\u{a0}' {
            if self.space.is_empty() || !self.word.is_empty() {
                self.write();
            }
            self.space.push(c);
        } else {
            self.word.push(c);
            let word = count(&self.word);
            if self.column + count(&self.space) + word > self.width && word < self.width {
                self.out.push('\n');
                self.column = 0;
                self.space.clear();
            }
        }
    }

    /// Writes the pending text.
    fn write(&mut self) {
        self.column += count(&self.space) + count(&self.word);
        self.out.push_str(&self.space);
        self.out.push_str(&self.word);
        self.space.clear();
        self.word.clear();
    }

    fn finish(mut self) -> String {
        if !self.word.is_empty() || self.column + count(&self.space) <= self.width {
            self.write();
        }
        self.out
    }
}

fn count(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_before_the_word_that_is_too_much() {
        assert_eq!(wrap("aa bb cc", 5), "aa bb\ncc");
        assert_eq!(wrap("aa  bb", 4), "aa\nbb");
        assert_eq!(wrap("aaaaaaa bb", 4), "aaaaaaa\nbb");
        assert_eq!(wrap("a\n\nb", 4), "a\n\nb");
        assert_eq!(wrap("a\n", 4), "a\n");
        assert_eq!(wrap("é é é", 3), "é é\né");
    }

    #[test]
    fn each_line_is_indented() {
        assert_eq!(indent("a\nb\n", 2), "  a\n  b\n  ");
        assert_eq!(indent("", 2), "  ");
    }
}
