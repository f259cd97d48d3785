//! Issues: errors that the parser, the checker and the validators find in an expression, with their
//! positions. They print as cel-go's do.

use std::fmt;
use std::sync::Arc;

/// The most issues of one stage that are kept; others are only counted.
///
/// Source: `common/errors.go`, `NewErrors`.
pub const MAX_ISSUES: usize = 100;

/// The longest source line, in bytes, that is shown below a message.
///
/// Source: `common/error.go`, `maxSnippetLength`.
const MAX_SNIPPET_BYTES: usize = 16_384;

/// A position in a text. Prints as `line:column`, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Location {
    /// The line, counted from 1; -1 for no position.
    pub line: i32,
    /// The column in code points, counted from 0; -1 for no position.
    pub column: i32,
}

impl Location {
    /// No position.
    pub const NONE: Self = Self { line: -1, column: -1 };

    /// The position `offset` code points into `source`.
    pub fn of_offset(source: &str, offset: u32) -> Self {
        // Upstream: the line table of an empty text holds a zero, so that its only position is
        // before the first column (common/runes/buffer.go, newBuffer).
        if source.is_empty() {
            return Self { line: 1, column: -1 };
        }
        let (mut line, mut column) = (1, 0);
        for c in source.chars().take(usize::try_from(offset).unwrap_or(usize::MAX)) {
            if c == '\n' {
                line += 1;
                column = 0;
            } else {
                column += 1;
            }
        }
        Self { line, column }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, i64::from(self.column) + 1)
    }
}

/// An error, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issue {
    /// The position.
    pub location: Location,
    /// The message, without prefix and position.
    pub message: String,
}

/// The issues of one text, in the order in which they were found.
///
/// Prints as cel-go's `Errors.ToDisplayString`: ordered by position, each with the source line and
/// a caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issues {
    source: Arc<str>,
    found: Vec<Issue>,
    reported: usize,
}

impl Issues {
    /// Creates an empty list of issues of `source`.
    pub fn new(source: Arc<str>) -> Self {
        Self { source, found: Vec::new(), reported: 0 }
    }

    /// Adds an issue. From [`MAX_ISSUES`] on, issues are only counted.
    pub fn report(&mut self, location: Location, message: impl Into<String>) {
        self.reported += 1;
        if self.found.len() < MAX_ISSUES {
            self.found.push(Issue { location, message: message.into() });
        }
    }

    /// Adds an issue at an offset in code points, as in [`Ast::positions`](super::Ast::positions);
    /// `None` is no position.
    ///
    /// An issue that is only counted is neither located nor formatted: locating one reads the text
    /// up to it, and a text of 100,000 code points can have 50,000 issues.
    pub fn report_at(&mut self, offset: Option<u32>, message: impl fmt::Display) {
        if self.found.len() >= MAX_ISSUES {
            self.reported += 1;
            return;
        }
        let location =
            offset.map_or(Location::NONE, |offset| Location::of_offset(&self.source, offset));
        self.report(location, message.to_string());
    }

    /// Whether there are no issues.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The issues in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Issue> {
        self.found.iter()
    }

    /// The text in which the issues were found.
    pub fn source(&self) -> &str {
        &self.source
    }
}

impl<'a> IntoIterator for &'a Issues {
    type Item = &'a Issue;
    type IntoIter = std::slice::Iter<'a, Issue>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted: Vec<&Issue> = self.found.iter().collect();
        sorted.sort_by_key(|issue| issue.location);
        for (i, issue) in sorted.into_iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "ERROR: <input>:{}: {}", issue.location, issue.message)?;
            fmt_snippet(&self.source, issue.location, f)?;
        }
        if self.reported > self.found.len() {
            write!(f, "\n{} more errors were truncated", self.reported - self.found.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for Issues {}

/// The source line and, below it, a caret under the column; nothing if there is no such line.
fn fmt_snippet(source: &str, at: Location, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(index) = usize::try_from(at.line).ok().and_then(|line| line.checked_sub(1)) else {
        return Ok(());
    };
    let line = source.split('\n').nth(index);
    let Some(line) = line.filter(|line| !source.is_empty() && line.len() <= MAX_SNIPPET_BYTES)
    else {
        return Ok(());
    };
    let line = line.replace('\t', " ");
    write!(f, "\n | {line}\n | ")?;
    let mut rest = line.chars();
    for c in rest.by_ref().take(usize::try_from(at.column).unwrap_or(0)) {
        f.write_str(if c.is_ascii() { "." } else { "\u{ff0e}" })?;
    }
    f.write_str(if rest.next().is_none_or(|c| c.is_ascii()) { "^" } else { "\u{ff3e}" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, offset: Option<u32>, want: &str) {
        let mut issues = Issues::new(source.into());
        issues.report_at(offset, "wrong");
        assert_eq!(issues.to_string(), want);
    }

    #[test]
    fn an_issue_shows_its_line() {
        check("a + b", Some(2), "ERROR: <input>:1:3: wrong\n | a + b\n | ..^");
        check("a\n\tbc", Some(3), "ERROR: <input>:2:2: wrong\n |  bc\n | .^");
        check("'漢' é", Some(4), "ERROR: <input>:1:5: wrong\n | '漢' é\n | .．..＾");
        check("a", Some(1), "ERROR: <input>:1:2: wrong\n | a\n | .^");
        check("", Some(0), "ERROR: <input>:1:0: wrong");
        check("a", None, "ERROR: <input>:-1:0: wrong");
    }

    #[test]
    fn issues_print_in_the_order_of_positions() {
        let mut issues = Issues::new("ab".into());
        issues.report_at(Some(1), "second");
        issues.report_at(Some(0), "first");
        issues.report_at(Some(0), "also first");
        let lines: Vec<_> = issues.iter().map(|issue| issue.message.as_str()).collect();
        assert_eq!(lines, ["second", "first", "also first"]);
        let text = issues.to_string();
        let heads: Vec<_> = text.lines().filter(|line| line.starts_with("ERROR")).collect();
        assert_eq!(
            heads,
            [
                "ERROR: <input>:1:1: first",
                "ERROR: <input>:1:1: also first",
                "ERROR: <input>:1:2: second"
            ]
        );
    }

    #[test]
    fn issues_that_are_only_counted_are_not_formatted() {
        use std::cell::Cell;

        struct Counted<'c>(&'c Cell<usize>);
        impl fmt::Display for Counted<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.set(self.0.get() + 1);
                f.write_str("wrong")
            }
        }
        let (mut issues, written) = (Issues::new("a".into()), Cell::new(0));
        for _ in 0..3 * MAX_ISSUES {
            issues.report_at(Some(0), Counted(&written));
        }
        assert_eq!(written.get(), MAX_ISSUES);
    }

    #[test]
    fn issues_above_the_limit_are_counted() {
        let mut issues = Issues::new("a".into());
        for _ in 0..MAX_ISSUES + 2 {
            issues.report_at(Some(0), "wrong");
        }
        assert_eq!(issues.iter().count(), MAX_ISSUES);
        assert!(issues.to_string().ends_with("\n2 more errors were truncated"));
    }
}
