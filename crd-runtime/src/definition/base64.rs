//! Base64 with padding, as Go reads `[]byte`.

/// Reads base64. Line breaks are ignored.
///
/// # Errors
/// The offset of the first invalid byte, as Go reports it.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut quad: u32 = 0;
    let mut filled = 0;
    let mut bytes = text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\r' | b'\n'));
    while let Some((at, byte)) = bytes.next() {
        if byte == b'=' {
            return padding(at, quad, filled, &mut bytes, text.len()).map(|tail| {
                out.extend(tail);
                out
            });
        }
        quad = quad << 6 | value(byte).ok_or(at)?;
        filled += 1;
        if filled == 4 {
            out.extend_from_slice(&quad.to_be_bytes()[1..]);
            (quad, filled) = (0, 0);
        }
    }
    // Go reports the offset at which the padding of the incomplete quantum is missing.
    if filled == 0 { Ok(out) } else { Err(text.len() - filled) }
}

/// Writes base64.
pub(super) fn encode(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut quad = [0; 4];
        quad[1..=chunk.len()].copy_from_slice(chunk);
        let quad = u32::from_be_bytes(quad);
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let digit = DIGITS[(quad >> shift & 0x3f) as usize];
            out.push(if index > chunk.len() { '=' } else { digit.into() });
        }
    }
    out
}

/// Decodes the last quantum, whose first padding is at `at`.
fn padding(
    at: usize,
    quad: u32,
    filled: usize,
    rest: &mut dyn Iterator<Item = (usize, u8)>,
    end: usize,
) -> Result<Vec<u8>, usize> {
    let bytes = match filled {
        2 => {
            match rest.next() {
                Some((_, b'=')) => {}
                Some((at, _)) => return Err(at),
                None => return Err(end),
            }
            (quad << 12).to_be_bytes()[1..2].to_vec()
        }
        3 => (quad << 6).to_be_bytes()[1..3].to_vec(),
        _ => return Err(at),
    };
    match rest.next() {
        Some((at, _)) => Err(at),
        None => Ok(bytes),
    }
}

fn value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn bytes() {
        assert_eq!(decode("").unwrap(), b"");
        assert_eq!(decode("YQ==").unwrap(), b"a");
        assert_eq!(decode("YW\nI=").unwrap(), b"ab");
        assert_eq!(decode("YWJj").unwrap(), b"abc");
        for bytes in [&b""[..], b"a", b"ab", b"abc", b"abcd", &[0, 255, 254]] {
            assert_eq!(decode(&encode(bytes)).unwrap(), bytes);
        }
        for bad in ["Y", "YQ", "YQ=", "YQ==x", "Y*==", "=", "YWI=="] {
            assert!(decode(bad).is_err(), "{bad}");
        }
    }
}
