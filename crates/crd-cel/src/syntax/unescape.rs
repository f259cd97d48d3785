//! The value of a string or bytes literal.
//!
//! Source: cel-go `parser/unescape.go`, `unescape`.

/// The error of a literal that the lexer accepts but that has no value.
pub(super) const INVALID_CODE_POINT: &str = "invalid unicode code point";
const CANNOT_UNESCAPE: &str = "unable to unescape string";

/// The value of a literal. `literal` is as written, with its quotes and its `r`, but without a
/// leading `b`.
///
/// In bytes, `\x` and octal escapes are bytes; in strings they are code points.
pub(super) fn unescape(literal: &str, bytes: bool) -> Result<Vec<u8>, &'static str> {
    let text = literal.replace("\r\n", "\n").replace('\r', "\n");
    let (raw, text) = match text.strip_prefix(['r', 'R']) {
        Some(text) => (true, text),
        None => (false, text.as_str()),
    };
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let body = quotes.into_iter().find_map(|quote| {
        let body = text.strip_prefix(quote)?;
        body.strip_suffix(quote)
    });
    let body = body.ok_or(CANNOT_UNESCAPE)?;
    if raw {
        return Ok(body.as_bytes().to_vec());
    }
    let mut value = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        let (before, escaped) = rest.split_at(at);
        value.extend_from_slice(before.as_bytes());
        rest = escape(escaped.get(1..).unwrap_or_default(), bytes, &mut value)?;
    }
    value.extend_from_slice(rest.as_bytes());
    Ok(value)
}

/// Appends the value of an escape, and returns the rest of the text; `text` begins after the
/// backslash.
fn escape<'t>(text: &'t str, bytes: bool, value: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    let mut chars = text.chars();
    let c = chars.next().ok_or(CANNOT_UNESCAPE)?;
    let plain = match c {
        'a' => 0x07,
        'b' => 0x08,
        'f' => 0x0c,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 0x0b,
        '\\' => b'\\',
        '\'' => b'\'',
        '"' => b'"',
        '`' => b'`',
        '?' => b'?',
        _ => {
            let (digits, radix) = match c {
                'x' | 'X' => (text.get(1..3), 16),
                'u' if !bytes => (text.get(1..5), 16),
                'U' if !bytes => (text.get(1..9), 16),
                '0'..='3' => (text.get(..3), 8),
                _ => (None, 16),
            };
            let digits = digits.ok_or(CANNOT_UNESCAPE)?;
            let code = u32::from_str_radix(digits, radix).map_err(|_| CANNOT_UNESCAPE)?;
            if let (true, Ok(byte)) = (bytes, u8::try_from(code)) {
                value.push(byte);
            } else {
                let c = char::from_u32(code).ok_or(INVALID_CODE_POINT)?;
                value.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            let used = digits.len() + usize::from(radix == 16);
            return Ok(text.get(used..).unwrap_or_default());
        }
    };
    value.push(plain);
    Ok(chars.as_str())
}
