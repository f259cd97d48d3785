//! Finds the comment that a part of an expression is in, such as the rest of a rule after `//`.

/// If the byte at `offset` of an expression is in a comment, returns the offset of the comment's
/// `//`.
///
/// ```
/// use crd_cel::lint::comment_at;
///
/// let rule = "self.a > 1 // not zero && self.b > 1";
/// assert_eq!(comment_at(rule, 22), Some(11));
/// assert_eq!(comment_at("self.url == 'https://example.com'", 25), None);
/// ```
pub fn comment_at(expression: &str, offset: usize) -> Option<usize> {
    let bytes = expression.as_bytes();
    let mut at = 0;
    while at < offset {
        let rest = bytes.get(at..)?;
        at = match rest {
            [b'/', b'/', ..] => {
                let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                let end = length.map_or(bytes.len(), |length| at + length);
                if offset <= end {
                    return Some(at);
                }
                end
            }
            [b'\'' | b'"', ..] => at + string_length(rest, is_raw(bytes, at)),
            [] => return None,
            _ => at + 1,
        };
    }
    None
}

/// Whether the quote at an offset opens a raw string: `r'..'`, `bR".."`.
fn is_raw(bytes: &[u8], quote: usize) -> bool {
    let before = bytes.get(..quote).unwrap_or_default();
    let word = before.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let prefix = before.get(before.len() - word..).unwrap_or_default();
    matches!(prefix, [b'r' | b'R'] | [b'b' | b'B', b'r' | b'R'])
}

/// The length in bytes of the string that a text begins with.
fn string_length(text: &[u8], raw: bool) -> usize {
    let quote = text.get(..1).unwrap_or_default();
    let triple = text.get(..3).unwrap_or_default();
    let delimiter = if triple.iter().all(|byte| [*byte] == *quote) && triple.len() == 3 {
        triple
    } else {
        quote
    };
    let mut at = delimiter.len();
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with(delimiter) {
            return at + delimiter.len();
        }
        at += if !raw && rest.first() == Some(&b'\\') { 2 } else { 1 };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` marks the offset of the test.
    #[track_caller]
    fn check(marked: &str, want: Option<usize>) {
        let offset = marked.find('|').expect("a mark");
        assert_eq!(comment_at(&marked.replacen('|', "", 1), offset), want, "{marked}");
    }

    #[test]
    fn comments_end_with_the_line() {
        check("a // b| && c", Some(2));
        check("a // b|", Some(2));
        check("a // b\n| && c", None);
        check("a // b\n && c // d|", Some(13));
        check("a| // b", None);
        check("a / b| / c", None);
    }

    #[test]
    fn strings_hold_no_comments() {
        check("'http://a'| && b", None);
        check(r"'\'//'| && b", None);
        check(r"r'\'//| && b", Some(4));
        check("'''a'//b'''| && b", None);
        check("\"it's\" // b|", Some(7));
        check("bR\"\\\"// b|", Some(5));
        check("'' // b|", Some(3));
    }
}
