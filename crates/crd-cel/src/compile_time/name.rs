//! A name in a program.

/// A name, or another text, within bytes that go on after it.
///
/// PERF: It is compared byte by byte where it is. rustc takes longer to make a slice and a `str` of it, of functions of
/// the standard library, than to compare twenty bytes.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    bytes: &'a [u8],
    start: usize,
    pub(super) len: usize,
}

impl<'a> Name<'a> {
    pub(super) const fn new(name: &'a str) -> Self {
        Self { bytes: name.as_bytes(), start: 0, len: name.len() }
    }

    /// The name at an offset.
    pub(super) const fn within(bytes: &'a [u8], start: usize, len: usize) -> Self {
        Self { bytes, start, len }
    }

    /// Whether it is this name.
    pub(super) const fn is(self, name: &[u8]) -> bool {
        if name.len() != self.len {
            return false;
        }
        let (bytes, mut at, mut left) = (self.bytes, self.start, name);
        while let [byte, rest @ ..] = left {
            if bytes[at] != *byte {
                return false;
            }
            at += 1;
            left = rest;
        }
        true
    }

    /// The last byte; 0 if it is empty.
    pub(super) const fn last(self) -> u8 {
        if self.len == 0 { 0 } else { self.bytes[self.start + self.len - 1] }
    }

    /// A number that no other name of the same program has.
    pub(super) const fn number(self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "programs are shorter")]
        let number = self.start as u32;
        number
    }

    pub(super) const fn text(self) -> &'a str {
        match std::str::from_utf8(self.bytes.split_at(self.start).1.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
