//! Base64 as Go's `encoding/base64` reads and writes it: line breaks are ignored, and so are the
//! bits after the last byte.
//!
//! Source: Go's `encoding/base64`, `(*Encoding).decodeQuantum`.

/// Go's `base64.StdEncoding`.
pub static STANDARD: Encoding =
    Encoding::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", true);

/// Go's `base64.URLEncoding`.
pub static URL_SAFE: Encoding = Encoding::new(URL_SAFE_DIGITS, true);

/// Go's `base64.RawURLEncoding`.
pub static URL_SAFE_UNPADDED: Encoding = Encoding::new(URL_SAFE_DIGITS, false);

const URL_SAFE_DIGITS: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The entry of [`Encoding::values`] for a byte that is not a digit. It has all bits, also those
/// that no digit has, so a bitwise or with digits does not change it.
const NO_DIGIT: u8 = 0xff;

/// An alphabet, with or without padding.
#[derive(Debug)]
pub struct Encoding {
    digits: &'static [u8; 64],
    /// The values of the digits, by byte.
    values: [u8; 256],
    is_padded: bool,
}

impl Encoding {
    const fn new(digits: &'static [u8; 64], is_padded: bool) -> Self {
        let mut values = [NO_DIGIT; 256];
        let mut value = 0_u8;
        while (value as usize) < digits.len() {
            values[digits[value as usize] as usize] = value;
            value += 1;
        }
        Self { digits, values, is_padded }
    }

    /// Encodes bytes, without line breaks.
    #[must_use]
    pub fn encode(&self, bytes: &[u8]) -> String {
        let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
        for chunk in bytes.chunks(3) {
            let mut word = [0; 4];
            word[1..=chunk.len()].copy_from_slice(chunk);
            let word = u32::from_be_bytes(word);
            for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
                if index <= chunk.len() {
                    out.push(self.digits[(word >> shift & 0x3f) as usize].into());
                } else if self.is_padded {
                    out.push('=');
                }
            }
        }
        out
    }

    /// Decodes a text.
    ///
    /// # Errors
    /// The offset of invalid text in bytes, as Go reports it.
    pub fn decode(&self, text: &[u8]) -> Result<Vec<u8>, usize> {
        // PERF: decodes whole quanta up to the first byte that is no digit, with a table and
        // without growing `out`.
        let (quanta, _) = text.as_chunks::<4>();
        let mut out = vec![0; quanta.len() * 3];
        let mut whole = 0;
        for (quantum, three) in quanta.iter().zip(out.as_chunks_mut::<3>().0) {
            let [a, b, c, d] = quantum.map(|byte| self.values[usize::from(byte)]);
            if (a | b | c | d) == NO_DIGIT {
                break;
            }
            *three = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
            whole += 1;
        }
        out.truncate(whole * 3);
        let mut at = whole * 4;
        while let Some((quantum, next)) = self.quantum(text, at)? {
            let (digits, count) = quantum;
            let word = digits.iter().fold(0_u32, |word, digit| word << 6 | u32::from(*digit));
            let decoded = word.to_be_bytes();
            out.extend(decoded.iter().skip(1).take(count - 1));
            at = next;
        }
        Ok(out)
    }

    /// The next four digits, how many of them are not padding, and where the next quantum starts;
    /// `None` at the end of the text.
    fn quantum(&self, text: &[u8], start: usize) -> Result<Option<(Quantum, usize)>, usize> {
        let mut digits = [0; 4];
        let mut at = start;
        for index in 0..4 {
            at = skip_breaks(text, at);
            let Some(c) = text.get(at).copied() else {
                return match index {
                    0 => Ok(None),
                    2 | 3 if !self.is_padded => Ok(Some(((digits, index), at))),
                    _ => Err(at.saturating_sub(index)),
                };
            };
            at += 1;
            let value = self.values[usize::from(c)];
            if value != NO_DIGIT {
                if let Some(digit) = digits.get_mut(index) {
                    *digit = value;
                }
                continue;
            }
            if c != b'=' || index < 2 || !self.is_padded {
                return Err(at - 1);
            }
            return padding(text, at, index).map(|end| Some(((digits, index), end)));
        }
        Ok(Some(((digits, 4), at)))
    }
}

type Quantum = ([u8; 4], usize);

/// Reads the text after the first `=` of a quantum: a second `=` if there are two digits, and then
/// the end of the text.
fn padding(text: &[u8], mut at: usize, digits: usize) -> Result<usize, usize> {
    if digits == 2 {
        at = skip_breaks(text, at);
        match text.get(at) {
            Some(b'=') => at += 1,
            Some(_) => return Err(at),
            None => return Err(text.len()),
        }
    }
    at = skip_breaks(text, at);
    if at < text.len() { Err(at) } else { Ok(at) }
}

fn skip_breaks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b'\n' | b'\r')) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(encoding: &Encoding, text: &str, want: Result<&[u8], usize>) {
        assert_eq!(encoding.decode(text.as_bytes()), want.map(<[u8]>::to_vec), "{text}");
    }

    #[test]
    fn texts_are_decoded() {
        for (text, want) in [
            ("", Ok(&b""[..])),
            ("YQ==", Ok(b"a")),
            ("YWI=", Ok(b"ab")),
            ("YW\nI=", Ok(b"ab")),
            ("YWJj", Ok(b"abc")),
            ("YW\nJj", Ok(b"abc")),
            ("YWJj\r\n", Ok(b"abc")),
            ("Y", Err(0)),
            ("YQ", Err(0)),
            ("YQ=", Err(3)),
            ("YQ==x", Err(4)),
            ("YQ==YQ==", Err(4)),
            ("YWI==", Err(4)),
            ("Y*==", Err(1)),
            ("=", Err(0)),
        ] {
            check(&STANDARD, text, want);
            check(&URL_SAFE, text, want);
        }
        check(&STANDARD, "+/+/", Ok(&[0xfb, 0xff, 0xbf]));
        check(&STANDARD, "ab-_", Err(2));
        check(&URL_SAFE, "-_-_", Ok(&[0xfb, 0xff, 0xbf]));
        check(&URL_SAFE, "ab+/", Err(2));
    }

    #[test]
    fn padding_is_no_part_of_an_unpadded_text() {
        for (text, want) in [
            ("YQ", Ok(&b"a"[..])),
            ("YWI", Ok(b"ab")),
            ("YWJjYQ\n", Ok(b"abca")),
            ("Y", Err(0)),
            ("YQ==", Err(2)),
            ("-_-_", Ok(&[0xfb, 0xff, 0xbf])),
        ] {
            check(&URL_SAFE_UNPADDED, text, want);
        }
    }

    #[test]
    fn bytes_are_encoded() {
        for (bytes, padded, unpadded) in [
            (&b""[..], "", ""),
            (b"a", "YQ==", "YQ"),
            (b"ab", "YWI=", "YWI"),
            (b"abc", "YWJj", "YWJj"),
            (b"abcd", "YWJjZA==", "YWJjZA"),
            (&[0xfb, 0xff, 0xbe], "+/++", "-_--"),
        ] {
            assert_eq!(STANDARD.encode(bytes), padded);
            assert_eq!(URL_SAFE_UNPADDED.encode(bytes), unpadded);
        }
    }
}
