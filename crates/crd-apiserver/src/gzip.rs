//! Compresses large responses for clients that accept it.
//!
//! The server writes the format of gzip with the least effort; here, one block with Deflate's fixed codes does the same.
//!
//! Source: `deferredResponseWriter` of `pkg/endpoints/handlers/responsewriters/writers.go`.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, header};

use super::response::ResponseBody;

/// The length in bytes up to which a body is not compressed. Source: `defaultGzipThresholdBytes`.
const THRESHOLD: usize = 128 * 1024;
/// The header of a file whose time and system are unknown, compressed with the least effort.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];
/// The greatest distance of a repetition, in bytes.
const WINDOW: usize = 32 * 1024;
/// The least and the greatest length of a repetition, in bytes.
const LENGTHS: (usize, usize) = (4, 258);
/// The number of bits of a hash of four bytes.
const HASH_BITS: u32 = 15;

/// Returns whether the client of a request accepts compressed responses.
/// Source: `ContentEncodingSupported` of `pkg/endpoints/handlers/responsewriters/compression.go`.
pub(super) fn is_accepted(headers: &HeaderMap) -> bool {
    let value = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(',').any(|encoding| encoding.trim() == "gzip")
}

/// Returns the response with its body compressed if it is large. Documents, which have an `ETag`, stay as they are.
pub(super) fn compressed(mut response: Response<ResponseBody>) -> Response<ResponseBody> {
    let bytes = response.body().bytes();
    if bytes.len() <= THRESHOLD || response.headers().contains_key(header::ETAG) {
        return response;
    }
    *response.body_mut() = ResponseBody::whole(Bytes::from(gzip(&bytes)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Bits { bytes: HEADER.to_vec(), pending: 0, count: 0 };
    deflate(bytes, &mut out);
    let mut out = out.end();
    out.extend(checksum(bytes).to_le_bytes());
    // The length modulo 2^32, as the format wants it.
    let [a, b, c, d, ..] = bytes.len().to_le_bytes();
    out.extend([a, b, c, d]);
    out
}

/// Writes bytes as the last block of a stream, with the fixed codes of RFC 1951.
fn deflate(bytes: &[u8], out: &mut Bits) {
    out.put(0b011, 3);
    // The place behind which four bytes with a hash have last stood; 0 if they have not.
    let mut seen = vec![0_usize; 1 << HASH_BITS];
    let mut at = 0;
    while at < bytes.len() {
        let known = (bytes.get(at..at + LENGTHS.0)).map(|four| {
            let hash = hash(four);
            std::mem::replace(&mut seen[hash], at + 1)
        });
        let before = known.unwrap_or_default().checked_sub(1);
        let length = before.filter(|before| at - before <= WINDOW).map_or(0, |before| {
            let (one, other) = (&bytes[before..], &bytes[at..]);
            one.iter().zip(other).take(LENGTHS.1).take_while(|(a, b)| a == b).count()
        });
        if let Some(before) = before.filter(|_| length >= LENGTHS.0) {
            put_length(length, out);
            put_distance(at - before, out);
            at += length;
        } else {
            put_symbol(bytes[at].into(), out);
            at += 1;
        }
    }
    put_symbol(256, out);
}

fn hash(four: &[u8]) -> usize {
    let number = four.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    (number.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize
}

/// Writes a literal, the end of the block (256) or the code of a length.
fn put_symbol(symbol: u32, out: &mut Bits) {
    match symbol {
        0..144 => out.put_code(0x30 + symbol, 8),
        144..256 => out.put_code(0x190 + symbol - 144, 9),
        256..280 => out.put_code(symbol - 256, 7),
        _ => out.put_code(0xc0 + symbol - 280, 8),
    }
}

fn put_length(length: usize, out: &mut Bits) {
    if length == LENGTHS.1 {
        return put_symbol(285, out);
    }
    // The first eight codes stand for one length each, and each four after them for twice as many as the four before.
    let (code, extra, bits) = split(length - 3, 2);
    put_symbol(257 + code, out);
    out.put(extra, bits);
}

fn put_distance(distance: usize, out: &mut Bits) {
    let (code, extra, bits) = split(distance - 1, 1);
    out.put_code(code, 5);
    out.put(extra, bits);
}

/// Splits a number into its code, and the extra bits below the first `precision` bits after its highest one.
fn split(number: usize, precision: u32) -> (u32, u32, u32) {
    let number = u32::try_from(number).unwrap_or_default();
    let bits = (32 - number.leading_zeros()).saturating_sub(precision + 1);
    let code = (bits << precision) + (number >> bits);
    (code, number & ((1 << bits) - 1), bits)
}

/// Bits that are written into bytes, from the lowest bit of each.
struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    /// Writes the lowest bits of a number, the lowest first.
    fn put(&mut self, number: u32, count: u32) {
        self.pending |= number << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push((self.pending & 0xff) as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Writes a code, its highest bit first.
    fn put_code(&mut self, code: u32, count: u32) {
        self.put(code.reverse_bits() >> (32 - count), count);
    }

    fn end(mut self) -> Vec<u8> {
        self.put(0, (8 - self.count) % 8);
        self.bytes
    }
}

/// Returns the checksum of bytes: CRC-32 as gzip has it.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut at = 0_u32;
        while at < 256 {
            let (mut value, mut bit) = (at, 0);
            while bit < 8 {
                value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
                bit += 1;
            }
            table[at as usize] = value;
            at += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum, byte| TABLE[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ sum >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads bits of a stream.
    struct Reader<'a> {
        bytes: &'a [u8],
        at: usize,
    }

    impl Reader<'_> {
        fn bit(&mut self) -> u32 {
            let bit = self.bytes[self.at / 8] >> (self.at % 8) & 1;
            self.at += 1;
            bit.into()
        }

        fn number(&mut self, bits: u32) -> usize {
            (0..bits).fold(0, |number, at| number | (self.bit() as usize) << at)
        }

        fn code(&mut self, bits: u32) -> u32 {
            (0..bits).fold(0, |code, _| code << 1 | self.bit())
        }

        fn symbol(&mut self) -> u32 {
            let mut code = self.code(7);
            if code < 0b1_1000 {
                return 256 + code;
            }
            code = code << 1 | self.bit();
            match code {
                0x30..0xc0 => code - 0x30,
                0xc0..0xc8 => code - 0xc0 + 280,
                _ => (code << 1 | self.bit()) - 0x190 + 144,
            }
        }
    }

    /// Decompresses one block with fixed codes, by the tables of RFC 1951.
    fn inflated(bytes: &[u8]) -> Vec<u8> {
        const LENGTHS: [usize; 29] = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
            115, 131, 163, 195, 227, 258,
        ];
        const DISTANCES: [usize; 30] = [
            1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025,
            1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
        ];
        let mut reader = Reader { bytes, at: 0 };
        assert_eq!(reader.number(3), 0b011);
        let mut out: Vec<u8> = Vec::new();
        loop {
            let symbol = reader.symbol();
            match symbol {
                0..256 => out.push(u8::try_from(symbol).expect("a byte")),
                256 => return out,
                _ => {
                    let code = symbol - 257;
                    let extra = if code < 8 || code == 28 { 0 } else { code / 4 - 1 };
                    let length = LENGTHS[code as usize] + reader.number(extra);
                    let code = reader.code(5);
                    let extra = if code < 4 { 0 } else { code / 2 - 1 };
                    let distance = DISTANCES[code as usize] + reader.number(extra);
                    for _ in 0..length {
                        out.push(out[out.len() - distance]);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_compressed_is_read_again() {
        let mut numbers = 7_u32;
        let mut random = |count: usize| -> Vec<u8> {
            let next = |_| {
                numbers = numbers.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (numbers >> 24) as u8
            };
            (0..count).map(next).collect()
        };
        let one = random(40_000);
        let list = (0..900).map(|at| format!("{{\"name\":\"object-{at}\"}}"));
        let list = list.collect::<Vec<_>>().join(",");
        let texts = [
            Vec::new(),
            b"a".to_vec(),
            vec![b'a'; 100_000],
            one.clone(),
            [&one[..], &one].concat(),
            [&one[..30_000], &one[..30_000]].concat(),
            list.into_bytes(),
            (0..=255).collect(),
        ];
        for text in texts {
            let gzip = gzip(&text);
            let (block, end) = gzip[HEADER.len()..].split_at(gzip.len() - HEADER.len() - 8);
            assert_eq!(inflated(block), text);
            let want = [checksum(&text), u32::try_from(text.len()).expect("a length")];
            assert_eq!(end, want.map(u32::to_le_bytes).concat());
        }
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn repetitions_are_compressed() {
        assert!(gzip(&vec![b'a'; 200_000]).len() < 2_000);
    }

    #[test]
    fn a_quality_is_not_read() {
        let check = |accept: &'static str, want: bool| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accept));
            assert_eq!(is_accepted(&headers), want, "{accept}");
        };
        check("gzip", true);
        check("deflate, gzip", true);
        check("gzip;q=1", false);
        check("*", false);
        assert!(!is_accepted(&HeaderMap::new()));
    }
}
