//! Parses character classes: `[..]`, `\d`, `\p{..}`.

use super::ascii_classes;
use super::ast::{Class, ClassItem};
use super::error::{Error, ErrorCode};
use super::read::{before, escaped_rune, next, skip};
use super::unicode_names;

/// Parses the class that a text begins with (its first byte is `[`), and returns the rest of the
/// text.
pub(super) fn parse(rest: &str, fold_case: bool) -> Result<(Class, &str), Error> {
    let mut class = Class { fold_case, ..Class::default() };
    let mut text = skip(rest, 1);
    if let Some(after) = text.strip_prefix('^') {
        class.negated = true;
        text = after;
    }
    let mut first = true;
    loop {
        // A `]` at the start of a class is an ordinary character.
        if !first && let Some(after) = text.strip_prefix(']') {
            return Ok((class, after));
        }
        first = false;
        if let Some(after) = posix_class(text, &mut class)? {
            text = after;
            continue;
        }
        if let Some(after) = escaped_class(text, &mut class)? {
            text = after;
            continue;
        }
        let start = text;
        let (low, after) = rune(text, rest)?;
        text = after;
        let mut high = low;
        // `a-]` is an `a` or a `-`.
        if let Some(after) = text.strip_prefix('-')
            && !after.is_empty()
            && !after.starts_with(']')
        {
            (high, text) = rune(after, rest)?;
            if high < low {
                return Err(Error::new(ErrorCode::InvalidCharRange, before(start, text)));
            }
        }
        class.items.push(ClassItem::Range(low, high));
    }
}

/// Reads one code point, escaped or not, of the class that begins `whole`.
fn rune<'p>(text: &'p str, whole: &str) -> Result<(u32, &'p str), Error> {
    if text.starts_with('\\') {
        return escaped_rune(text);
    }
    let mut after = text;
    match next(&mut after) {
        Some(c) => Ok((c.into(), after)),
        None => Err(Error::new(ErrorCode::MissingBracket, whole)),
    }
}

/// Reads `[:alpha:]`, if the text begins with such a class.
fn posix_class<'p>(text: &'p str, class: &mut Class) -> Result<Option<&'p str>, Error> {
    let Some((name, after)) = text.strip_prefix("[:").and_then(|text| text.split_once(":]")) else {
        return Ok(None);
    };
    let Some((ranges, negated)) = ascii_classes::posix(name) else {
        return Err(Error::new(ErrorCode::InvalidCharRange, before(text, after)));
    };
    class.items.push(ClassItem::Ascii { ranges, negated });
    Ok(Some(after))
}

/// Reads `\d`, `\pL` or `\p{Greek}`, if the text begins with such a class.
pub(super) fn escaped_class<'p>(
    text: &'p str,
    class: &mut Class,
) -> Result<Option<&'p str>, Error> {
    let Some(escaped) = text.strip_prefix('\\') else {
        return Ok(None);
    };
    let Some(&letter) = escaped.as_bytes().first() else {
        return Ok(None);
    };
    if let b'p' | b'P' = letter {
        return unicode_class(text, letter == b'P', class).map(Some);
    }
    let Some((ranges, negated)) = ascii_classes::perl(letter) else {
        return Ok(None);
    };
    class.items.push(ClassItem::Ascii { ranges, negated });
    Ok(Some(skip(text, 2)))
}

fn unicode_class<'p>(text: &'p str, negated: bool, class: &mut Class) -> Result<&'p str, Error> {
    let mut after = skip(text, 2);
    let start = after;
    let name = match next(&mut after) {
        Some('{') => {
            let Some((name, rest)) = after.split_once('}') else {
                return Err(Error::new(ErrorCode::InvalidCharRange, text));
            };
            after = rest;
            name
        }
        _ => before(start, after),
    };
    let (name, inverted) = match name.strip_prefix('^') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let Some(found) = unicode_names::find(name) else {
        return Err(Error::new(ErrorCode::InvalidCharRange, before(text, after)));
    };
    class.items.push(ClassItem::Unicode { class: found, negated: negated != inverted });
    Ok(after)
}
