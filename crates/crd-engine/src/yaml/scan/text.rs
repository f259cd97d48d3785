//! The text of a scalar, borrowed from the source as long as it is the same there.

use std::borrow::Cow;

/// A text that is collected from parts.
#[derive(Debug, Default)]
pub(super) struct Text<'t> {
    source: &'t str,
    start: usize,
    end: usize,
    /// The text, once it differs from the source.
    own: Option<String>,
}

impl<'t> Text<'t> {
    /// Appends a part of the source.
    pub(super) fn push_source(&mut self, source: &'t str, start: usize, end: usize) {
        if self.own.is_none() && self.is_empty() {
            (self.source, self.start, self.end) = (source, start, end);
        } else if self.own.is_none() && self.end == start {
            self.end = end;
        } else {
            self.push(source.get(start..end).unwrap_or_default());
        }
    }

    /// Appends another text, which directly follows in the source or not.
    pub(super) fn append(&mut self, other: &mut Self) {
        match other.own.take() {
            Some(text) => self.push(&text),
            None if !other.is_empty() => self.push_source(other.source, other.start, other.end),
            None => {}
        }
        *other = Self::default();
    }

    pub(super) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let borrowed = self.source.get(self.start..self.end).unwrap_or_default();
        self.own.get_or_insert_with(|| borrowed.to_owned()).push_str(text);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.own.as_ref().map_or(self.start == self.end, String::is_empty)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn into_text(self) -> Cow<'t, str> {
        match self.own {
            Some(own) => Cow::Owned(own),
            None => Cow::Borrowed(self.source.get(self.start..self.end).unwrap_or_default()),
        }
    }
}
