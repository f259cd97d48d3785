//! Percent encoding.
//!
//! Source: Go 1.26 `net/url/url.go`, `escape`, `unescape`, `shouldEscape`.

use std::borrow::Cow;

use crate::gofmt::{quote, quote_bytes};

/// A part of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UrlPart {
    Path,
    UserPassword,
    Host,
    Zone,
    QueryComponent,
    Fragment,
}

/// Whether a byte must be percent-encoded in a part.
#[inline]
pub(super) fn should_escape(byte: u8, part: UrlPart) -> bool {
    !UNRESERVED[usize::from(byte)] && should_escape_mark(byte, part)
}

/// The bytes that no part escapes.
const UNRESERVED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
        byte += 1;
    }
    table
};

fn should_escape_mark(byte: u8, part: UrlPart) -> bool {
    match byte {
        b'!' | b'\'' | b'(' | b')' | b'*' | b'[' | b']' | b'<' | b'>' | b'"' | b'$' | b'&'
        | b'+' | b',' | b';' | b'=' | b':'
            if matches!(part, UrlPart::Host | UrlPart::Zone) =>
        {
            false
        }
        b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' => match part {
            UrlPart::Path => byte == b'?',
            UrlPart::UserPassword => matches!(byte, b'@' | b'/' | b'?' | b':'),
            UrlPart::Fragment => false,
            UrlPart::QueryComponent | UrlPart::Host | UrlPart::Zone => true,
        },
        b'!' | b'(' | b')' | b'*' => part != UrlPart::Fragment,
        _ => true,
    }
}

/// Replaces every escape, such as `%41`, by its byte, and in a query `+` by a space.
///
/// # Errors
///
/// Go's text, such as `invalid URL escape "%zz"`.
pub(super) fn unescape(text: &[u8], part: UrlPart) -> Result<Cow<'_, [u8]>, String> {
    let in_host = matches!(part, UrlPart::Host | UrlPart::Zone);
    let stands_for_itself = |byte: &u8| match byte {
        b'%' => false,
        b'+' => part != UrlPart::QueryComponent,
        byte => !(in_host && byte.is_ascii() && should_escape(*byte, part)),
    };
    if text.iter().all(stands_for_itself) {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        let invalid = |escape: &[u8]| Err(format!("invalid URL escape {}", quote_bytes(escape)));
        match rest {
            [] => return Ok(Cow::Owned(out)),
            [b'%', high, low, after @ ..] if hex(*high).is_some() && hex(*low).is_some() => {
                let byte = hex(*high).unwrap_or_default() << 4 | hex(*low).unwrap_or_default();
                let percent = byte == b'%';
                // A host may encode `%` and bytes beyond ASCII; a zone may encode `%`, a space and the bytes that
                // a host can have without encoding.
                let is_invalid = match part {
                    UrlPart::Host => byte < 0x80 && !percent,
                    UrlPart::Zone => !percent && byte != b' ' && should_escape(byte, UrlPart::Host),
                    _ => false,
                };
                if is_invalid {
                    return invalid(&[b'%', *high, *low]);
                }
                out.push(byte);
                rest = after;
            }
            [b'%', ..] => return invalid(rest.get(..3).unwrap_or(rest)),
            [b'+', after @ ..] => {
                out.push(if part == UrlPart::QueryComponent { b' ' } else { b'+' });
                rest = after;
            }
            [byte, after @ ..] => {
                if in_host && byte.is_ascii() && should_escape(*byte, part) {
                    let character = quote(char::from(*byte).encode_utf8(&mut [0; 4]));
                    return Err(format!("invalid character {character} in host name"));
                }
                out.push(*byte);
                rest = after;
            }
        }
    }
}

/// Percent-encodes the bytes that a part cannot have; a space in a query becomes `+`.
pub(super) fn escape(text: &[u8], part: UrlPart) -> String {
    let mut out = String::with_capacity(text.len());
    for &byte in text {
        if !should_escape(byte, part) {
            out.push(byte.into());
        } else if byte == b' ' && part == UrlPart::QueryComponent {
            out.push('+');
        } else {
            out.push('%');
            for digit in [byte >> 4, byte & 15] {
                let digit = char::from_digit(digit.into(), 16).unwrap_or_default();
                out.push(digit.to_ascii_uppercase());
            }
        }
    }
    out
}

/// Whether a text can be the encoding of a path or fragment. It may contain marks that [`escape`] encodes.
pub(super) fn is_encoded(text: &str, part: UrlPart) -> bool {
    text.bytes().all(|byte| match byte {
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b':'
        | b'@' | b'[' | b']' | b'%' => true,
        byte => !should_escape(byte, part),
    })
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
