//! Strings in quotes, as Go unquotes them.
//!
//! Source: `UnquoteExtend` in `k8s.io/client-go/util/jsonpath/parser.go`, `strconv.UnquoteChar`.

/// Returns the text of a string in single or double quotes; `None` if it is malformed.
///
/// An escape such as `\xe9` or `\351` is one byte. Bytes that are not UTF-8 in the result become U+FFFD.
pub(super) fn unquote(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c == quote {
            return None;
        }
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let code = match chars.next()? {
            'a' => 0x07,
            'b' => 0x08,
            'f' => 0x0c,
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'v' => 0x0b,
            '\\' => u32::from('\\'),
            c @ ('\'' | '"') if c == quote => u32::from(c),
            'x' => {
                bytes.push(u8::try_from(number(&mut chars, 2, 16)?).ok()?);
                continue;
            }
            c @ '0'..='7' => {
                let code = c.to_digit(8)? * 64 + number(&mut chars, 2, 8)?;
                bytes.push(u8::try_from(code).ok()?);
                continue;
            }
            'u' => number(&mut chars, 4, 16)?,
            'U' => number(&mut chars, 8, 16)?,
            _ => return None,
        };
        bytes.extend_from_slice(char::from_u32(code)?.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn number(chars: &mut std::str::Chars<'_>, digits: u32, radix: u32) -> Option<u32> {
    (0..digits).try_fold(0_u32, |sum, _| {
        sum.checked_mul(radix)?.checked_add(chars.next()?.to_digit(radix)?)
    })
}
