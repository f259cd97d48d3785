//! Finds the literal of `concat!(..)` that an error is in.
//!
//! ```ignore
//! #[crd(rule(concat!("self.a > 0 && ", "self.bb > 0")))]
//! //                                   ^^^^^^^^^^^^^^ undefined field 'bb'
//! ```

use super::checker::check_expression;
use super::rule::Examined;

/// The text before the position of an issue.
const BEFORE: &[u8] = b"<input>:";

/// Whether the first error of an expression is in the piece with this index; `starts` are the byte offsets of the
/// pieces. An error without a position is in the first.
#[must_use]
pub const fn is_in_piece(examined: &Examined, starts: &[usize], nth: usize) -> bool {
    if !examined.rejected {
        return false;
    }
    let offset_of_error = match check_expression(&examined.rule, examined.path).error {
        Some(text) => first_position(text.as_str().as_bytes(), examined.rule.source),
        None => 0,
    };
    let mut piece = 0;
    while piece + 1 < starts.len() && starts[piece + 1] <= offset_of_error {
        piece += 1;
    }
    piece == nth
}

/// The byte offset in `source` of the position that the first `<input>:1:23` in an error text states; 0 if there is
/// none. The issues in the text are sorted by position.
const fn first_position(text: &[u8], source: &str) -> usize {
    let mut at = 0;
    while at + BEFORE.len() < text.len() {
        let mut same = 0;
        while same < BEFORE.len() && text[at + same] == BEFORE[same] {
            same += 1;
        }
        if same == BEFORE.len() {
            let (line, end) = number(text, at + same);
            let (column, _) = number(text, end + 1);
            return offset(source.as_bytes(), line, column);
        }
        at += 1;
    }
    0
}

/// A number and where it ends.
const fn number(text: &[u8], mut at: usize) -> (usize, usize) {
    let mut value = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        value = value * 10 + (text[at] - b'0') as usize;
        at += 1;
    }
    (value, at)
}

/// The byte offset of a line and a column in code points, both counted from 1.
const fn offset(source: &[u8], line: usize, column: usize) -> usize {
    let (mut at, mut lines, mut columns) = (0, 1, 0);
    while at < source.len() {
        // Continuation bytes of UTF-8 begin with the bits 10.
        if source[at] & 0xC0 != 0x80 {
            columns += 1;
        }
        if lines == line && columns == column {
            return at;
        }
        if source[at] == b'\n' {
            lines += 1;
            columns = 0;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_in_a_text_is_found() {
        let source = "self.ä > 0 &&\n self.b > 0";
        let offset_of_error = |text: &str| first_position(text.as_bytes(), source);
        assert_eq!(offset_of_error("compilation failed: ERROR: <input>:1:5: undefined field"), 4);
        assert_eq!(offset_of_error("ERROR: <input>:2:2: a\nERROR: <input>:2:7: b"), 16);
        assert_eq!(offset_of_error("cel expression must evaluate to a bool, not to int"), 0);
        assert_eq!(source.as_bytes()[16], b's');
    }
}
