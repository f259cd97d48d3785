//! Text that is put together while rustc evaluates a constant, where there is no `format!`.

/// Text under construction, of at most `N` bytes. What is beyond is cut.
#[derive(Debug)]
pub struct Text<const N: usize> {
    pub(super) bytes: [u8; N],
    pub(super) len: usize,
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Text<N> {
    /// No text.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    /// Adds a text.
    pub const fn push(&mut self, text: &str) {
        self.push_bytes(text.as_bytes(), 0, text.len());
    }

    /// Adds the bytes of a text from one index to another.
    pub const fn push_bytes(&mut self, bytes: &[u8], start: usize, end: usize) {
        let mut i = start;
        while i < end && self.len < N {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
    }

    /// The text, without a character that a cut has split.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let mut len = self.len;
        loop {
            if let Ok(text) = std::str::from_utf8(self.bytes.split_at(len).0) {
                return text;
            }
            len -= 1;
        }
    }
}

/// Whether two texts are the same.
#[must_use]
pub const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The longest name that is compared for a hint, in bytes.
const LONGEST: usize = 64;

/// Levenshtein's distance of bytes, whatever their case. Long names are as far as can be.
#[must_use]
pub const fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut row = [0; LONGEST + 1];
    let mut column = 0;
    while column <= b.len() {
        row[column] = column;
        column += 1;
    }
    let mut line = 0;
    while line < a.len() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        column = 0;
        while column < b.len() {
            let same = a[line].eq_ignore_ascii_case(&b[column]);
            let change = if same { diagonal } else { diagonal + 1 };
            diagonal = row[column + 1];
            let side = if diagonal < row[column] { diagonal + 1 } else { row[column] + 1 };
            row[column + 1] = if change < side { change } else { side };
            column += 1;
        }
        line += 1;
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, want) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("replcas", "replicas", 1),
            ("ab", "ba", 2),
            ("labelselector", "labelSelector", 0),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), want, "{a} {b}");
        }
    }

    #[test]
    fn a_cut_splits_no_character() {
        let mut text = Text::<4>::new();
        text.push("abcé");
        assert_eq!(text.as_str(), "abc");
    }
}
