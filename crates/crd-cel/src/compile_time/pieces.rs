//! Finds the literal of `concat!(..)` that an error is in.
//!
//! ```ignore
//! #[crd(rule(concat!("self.a > 0 && ", "self.bb > 0")))]
//! //                                   ^^^^^^^^^^^^^^ undefined field 'bb'
//! ```

use super::checker::check_expression;
use super::fuel::EXPRESSION;
use super::rule::Examined;

/// Whether the first error of an expression is in the piece with this index; `starts` are the byte offsets of the
/// pieces. An error without a position is in the first.
#[must_use]
pub const fn is_in_piece(examined: &Examined, starts: &[usize], nth: usize) -> bool {
    if !examined.rejected {
        return false;
    }
    let at = check_expression(&examined.rule, EXPRESSION).at;
    let offset_of_error = offset_in_bytes(examined.rule.source, at);
    let mut piece = 0;
    while piece + 1 < starts.len() && starts[piece + 1] <= offset_of_error {
        piece += 1;
    }
    piece == nth
}

/// The offset in bytes of a code point.
const fn offset_in_bytes(source: &str, code_point: u16) -> usize {
    let (mut at, mut left) = (0, code_point);
    while at < source.len() {
        if source.is_char_boundary(at) {
            if left == 0 {
                return at;
            }
            left -= 1;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_code_points() {
        let source = "self.ä > 0 &&\n self.b > 0";
        assert_eq!(offset_in_bytes(source, 4), 4);
        assert_eq!(&source[offset_in_bytes(source, 15)..], "self.b > 0");
        assert_eq!(offset_in_bytes(source, 90), source.len());
    }
}
