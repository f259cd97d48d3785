//! Reads a pattern piece by piece: characters, and escapes of one code point.

use super::ast::MAX_RUNE;
use super::error::{Error, ErrorCode};

/// Reads an escape that stands for one code point.
pub(super) fn escaped_rune(rest: &str) -> Result<(u32, &str), Error> {
    let mut after = skip(rest, 1);
    let Some(c) = next(&mut after) else {
        return Err(Error::new(ErrorCode::TrailingBackslash, ""));
    };
    let octal = |text: &str| text.starts_with(|c| ('0'..='7').contains(&c));
    let rune = match c {
        // `\1` would be a back reference, which RE2 does not have; `\12` is octal.
        '0'..='7' if c == '0' || octal(after) => {
            let mut rune = c.to_digit(8).unwrap_or_default();
            for _ in 0..2 {
                if !octal(after) {
                    break;
                }
                rune = rune * 8 + next(&mut after).and_then(|c| c.to_digit(8)).unwrap_or_default();
            }
            Some(rune)
        }
        'x' => hex_escape(&mut after),
        'a' => Some(0x07),
        'f' => Some(0x0c),
        'n' => Some(0x0a),
        'r' => Some(0x0d),
        't' => Some(0x09),
        'v' => Some(0x0b),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(c.into()),
        _ => None,
    };
    match rune {
        Some(rune) => Ok((rune, after)),
        None => Err(Error::new(ErrorCode::InvalidEscape, before(rest, after))),
    }
}

/// Reads `41` or `{41}`. If there is neither, moves `after` past the characters that upstream had
/// read, because the error quotes them.
fn hex_escape(after: &mut &str) -> Option<u32> {
    let first = next(after)?;
    if first != '{' {
        let second = next(after);
        return Some(first.to_digit(16)? * 16 + second?.to_digit(16)?);
    }
    let mut rune: Option<u32> = None;
    loop {
        let c = next(after)?;
        if c == '}' {
            return rune;
        }
        let value = rune.unwrap_or_default() * 16 + c.to_digit(16)?;
        if value > MAX_RUNE {
            return None;
        }
        rune = Some(value);
    }
}

/// Takes the first character of a text.
pub(super) fn next(text: &mut &str) -> Option<char> {
    let mut chars = text.chars();
    let c = chars.next()?;
    *text = chars.as_str();
    Some(c)
}

/// A text without its first `bytes` bytes.
pub(super) fn skip(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}

/// The part of `text` before its suffix `after`.
pub(super) fn before<'t>(text: &'t str, after: &str) -> &'t str {
    text.get(..text.len().saturating_sub(after.len())).unwrap_or(text)
}
