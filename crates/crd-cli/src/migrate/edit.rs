//! Edits of a text, and their application.

use crate::location::line_of;
use std::ops::Range;

/// A change of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub range: Range<usize>,
    pub text: String,
}

/// Changes of one text.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<Edit>);

impl Edits {
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push(Edit { range, text: text.into() });
    }

    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Applies the edits. Edits at one place are applied in the order in which they were made.
    ///
    /// # Errors
    /// If two edits overlap.
    pub(super) fn apply(mut self, text: &str) -> Result<String, String> {
        self.0.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut edited = String::with_capacity(text.len());
        let mut at = 0;
        for Edit { range, text: new } in &self.0 {
            let kept = text.get(at..range.start).filter(|_| range.end <= text.len());
            let Some(kept) = kept else {
                let line = line_of(text, range.start);
                return Err(format!("two changes meet in line {line}; migrate this item by hand"));
            };
            edited.push_str(kept);
            edited.push_str(new);
            at = range.end;
        }
        edited.push_str(text.get(at..).unwrap_or_default());
        Ok(edited)
    }
}

/// Returns where the line of a byte starts.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

/// Returns the white space at the start of a line, if a byte is the first of the line apart from it.
pub(super) fn indentation(text: &str, at: usize) -> Option<&str> {
    let before = text.get(line_start(text, at)..at)?;
    before.trim().is_empty().then_some(before)
}

/// Extends a range over the rest of its lines, if nothing else is on them.
pub(super) fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let rest = text.get(range.end..).unwrap_or_default();
    let end_of_line = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
    if indentation(text, range.start).is_some() && rest[..end_of_line].trim().is_empty() {
        line_start(text, range.start)..range.end + end_of_line
    } else {
        range.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_order() {
        let mut edits = Edits::default();
        edits.replace(4..7, "two");
        edits.insert(0, ">");
        edits.insert(0, "!");
        assert_eq!(edits.apply("one zwo").as_deref(), Ok(">!one two"));
    }

    #[test]
    fn edits_that_overlap_are_an_error() {
        let mut edits = Edits::default();
        edits.replace(0..3, "a");
        edits.replace(2..4, "b");
        let error = edits.apply("one\ntwo").expect_err("an error");
        assert!(error.contains("line 1"), "{error}");
    }

    #[test]
    fn lines_go_as_a_whole() {
        let text = "a\n  b\nc d\n";
        assert_eq!(whole_lines(text, &(4..5)), 2..6);
        assert_eq!(whole_lines(text, &(6..7)), 6..7);
    }
}
