//! A text buffer for `const fn`, where there is no `format!`.

/// A text of at most `N` bytes. A longer one is cut.
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

    /// These texts, one after the other.
    #[must_use]
    pub const fn of(parts: &[&str]) -> Self {
        let mut text = Self::new();
        let mut at = 0;
        while at < parts.len() {
            text.push(parts[at]);
            at += 1;
        }
        text
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

    /// Adds names in backticks, with commas between them.
    pub const fn push_names(&mut self, names: &[&str]) {
        let mut i = 0;
        while i < names.len() {
            self.push(if i == 0 { "`" } else { ", `" });
            self.push(names[i]);
            self.push("`");
            i += 1;
        }
    }

    /// Adds an integer.
    pub const fn push_int(&mut self, value: i128) {
        let mut digits = [0; 39];
        let mut start = digits.len();
        let mut rest = value.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self.push("-");
        }
        self.push_bytes(&digits, start, digits.len());
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
    // The last byte is compared first, because neighbouring names often share a prefix, and for rustc `len` is two calls.
    if let [.., a] = a
        && let [.., b] = b
        && *a != *b
    {
        return false;
    }
    if a.len() != b.len() {
        return false;
    }
    let (mut a, mut b) = (a, b);
    while let [first, a_rest @ ..] = a
        && let [other, b_rest @ ..] = b
    {
        if *first != *other {
            return false;
        }
        a = a_rest;
        b = b_rest;
    }
    true
}

/// The longest name that is compared for a hint, in bytes.
const LONGEST: usize = 64;

/// The edit distance of two names, ignoring case: Levenshtein's distance in bytes, with a transposition of neighbours
/// as one edit. `usize::MAX` for long names.
#[must_use]
pub const fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut before = [0; LONGEST + 1];
    let mut last = [0; LONGEST + 1];
    let mut column = 0;
    while column <= b.len() {
        last[column] = column;
        column += 1;
    }
    let mut line = 0;
    while line < a.len() {
        let mut row = [0; LONGEST + 1];
        row[0] = line + 1;
        column = 0;
        while column < b.len() {
            let same = is_same(a[line], b[column]);
            let change = if same { last[column] } else { last[column] + 1 };
            let side = least(last[column + 1], row[column]) + 1;
            row[column + 1] = least(change, side);
            if line > 0
                && column > 0
                && is_same(a[line], b[column - 1])
                && is_same(a[line - 1], b[column])
            {
                row[column + 1] = least(row[column + 1], before[column - 1] + 1);
            }
            column += 1;
        }
        before = last;
        last = row;
        line += 1;
    }
    last[b.len()]
}

/// Whether a name at this distance, in edits, is similar enough for a hint. One edit is similar, unless the name has
/// only one letter. More edits are similar if they change less than half of the letters, and are at most two, or at
/// most a third of the letters.
#[must_use]
pub const fn is_similar(name: &str, distance: usize) -> bool {
    let (len, third) = (name.len(), name.len() / 3);
    match distance {
        0 | 1 => distance < len,
        _ => distance <= if third > 2 { third } else { 2 } && 2 * distance < len,
    }
}

const fn is_same(a: u8, b: u8) -> bool {
    a.eq_ignore_ascii_case(&b)
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
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
            ("ab", "ba", 1),
            ("nmae", "name", 1),
            ("ca", "abc", 3),
            ("kitten", "sitting", 3),
            ("labelselector", "labelSelector", 0),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), want, "{a} {b}");
        }
    }

    #[test]
    fn only_what_has_most_of_the_letters_is_similar() {
        for (name, other, want) in [
            ("nmae", "name", true),
            ("ur", "url", true),
            ("minReplica", "minReplicas", true),
            ("min_replicas", "minReplicas", true),
            ("state", "status", true),
            ("a", "g", false),
            ("zz", "a", false),
            ("nope", "type", false),
            ("min", "max", false),
        ] {
            let distance = distance(name.as_bytes(), other.as_bytes());
            assert_eq!(is_similar(name, distance), want, "{name} {other}");
        }
        // No name was found to compare with.
        assert!(!is_similar("a", usize::MAX));
    }

    #[test]
    fn a_cut_splits_no_character() {
        let mut text = Text::<4>::new();
        text.push("abcé");
        assert_eq!(text.as_str(), "abc");
    }
}
