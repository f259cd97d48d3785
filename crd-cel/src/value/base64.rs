//! Base64 as Go's `base64.URLEncoding` decodes it: `-` and `_`, padded, line breaks ignored.
//!
//! Source: Go's `encoding/base64`, `(*Encoding).decodeQuantum`.

/// Decodes a text.
///
/// # Errors
/// The offset at which Go finds the text to be wrong.
pub(super) fn decode_url_safe(text: &str) -> Result<Vec<u8>, usize> {
    let bytes = text.as_bytes();
    // PERF: whole quanta of digits, as far as they go, by a table and into memory that is there.
    let (quanta, _) = bytes.as_chunks::<4>();
    let mut out = vec![0; quanta.len() * 3];
    let mut whole = 0;
    for (quantum, three) in quanta.iter().zip(out.as_chunks_mut::<3>().0) {
        let [a, b, c, d] = quantum.map(|byte| DIGITS[usize::from(byte)]);
        if (a | b | c | d) == NO_DIGIT {
            break;
        }
        *three = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
        whole += 1;
    }
    out.truncate(whole * 3);
    let mut at = whole * 4;
    while let Some((quantum, next)) = quantum(bytes, at)? {
        let (digits, count) = quantum;
        let word = digits.iter().fold(0_u32, |word, digit| word << 6 | u32::from(*digit));
        let decoded = word.to_be_bytes();
        out.extend(decoded.iter().skip(1).take(count - 1));
        at = next;
    }
    Ok(out)
}

type Quantum = ([u8; 4], usize);

/// The next four digits, how many of them are not padding, and where the next quantum starts.
fn quantum(bytes: &[u8], start: usize) -> Result<Option<(Quantum, usize)>, usize> {
    let mut digits = [0; 4];
    let mut at = start;
    for place in 0..4 {
        let c = loop {
            match bytes.get(at) {
                Some(b'\n' | b'\r') => at += 1,
                other => break other.copied(),
            }
        };
        let Some(c) = c else {
            return if place == 0 { Ok(None) } else { Err(at.saturating_sub(place)) };
        };
        at += 1;
        if let Some(value) = digit(c) {
            if let Some(digit) = digits.get_mut(place) {
                *digit = value;
            }
            continue;
        }
        if c != b'=' || place < 2 {
            return Err(at - 1);
        }
        return padding(bytes, at, place).map(|end| Some(((digits, place), end)));
    }
    Ok(Some(((digits, 4), at)))
}

/// What follows the first `=` of a quantum: a second one after two digits, and then the end.
fn padding(bytes: &[u8], mut at: usize, place: usize) -> Result<usize, usize> {
    let skip_breaks = |mut at: usize| {
        while matches!(bytes.get(at), Some(b'\n' | b'\r')) {
            at += 1;
        }
        at
    };
    if place == 2 {
        at = skip_breaks(at);
        match bytes.get(at) {
            Some(b'=') => at += 1,
            Some(_) => return Err(at),
            None => return Err(bytes.len()),
        }
    }
    at = skip_breaks(at);
    if at < bytes.len() { Err(at) } else { Ok(at) }
}

/// The entry of [`DIGITS`] for a byte that is not a digit: a bit that no digit has, and all others, so that it stays
/// itself when digits are added to it bit by bit.
const NO_DIGIT: u8 = 0xff;

/// The values of the digits, by byte.
const DIGITS: [u8; 256] = {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut table = [NO_DIGIT; 256];
    let mut value = 0_u8;
    while (value as usize) < digits.len() {
        table[digits[value as usize] as usize] = value;
        value += 1;
    }
    table
};

fn digit(c: u8) -> Option<u8> {
    Some(DIGITS[usize::from(c)]).filter(|digit| *digit != NO_DIGIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding() {
        for (text, want) in [
            ("", Ok(&b""[..])),
            ("YQ==", Ok(b"a")),
            ("YWI=", Ok(b"ab")),
            ("YWJj", Ok(b"abc")),
            ("YW\nJj", Ok(b"abc")),
            ("-_-_", Ok(&[0xfb, 0xff, 0xbf])),
            ("ab+/", Err(2)),
            ("YQ=", Err(3)),
            ("YQ", Err(0)),
            ("YQ==YQ==", Err(4)),
        ] {
            assert_eq!(decode_url_safe(text), want.map(<[u8]>::to_vec), "{text}");
        }
    }
}
