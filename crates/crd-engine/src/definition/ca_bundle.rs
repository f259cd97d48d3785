//! Checks the certificates of a webhook.
//!
//! Source: `k8s.io/client-go/transport/transport.go`, `rootCertPool`.

use crd_cel::base64::STANDARD;

use crate::field::{Path, Shown, Sink};

/// The DER tag of a sequence.
const SEQUENCE: u8 = 0x30;

/// Checks that a bundle, in base64, has a certificate that can be parsed.
///
/// Divergence: only the two outermost structures of a certificate are parsed.
pub(super) fn check(bundle: &str, path: &Path<'_>, errors: &mut Sink) {
    let bytes = STANDARD.decode(bundle.as_bytes()).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let blocks: Vec<Block> = Blocks(&text).collect();
    let mut problem = None;
    for block in blocks.iter().filter(|block| block.is_certificate) {
        match check_certificate(&block.bytes) {
            Ok(()) => return,
            Err(reason) => problem = problem.or(Some(reason)),
        }
    }
    let reason = match problem {
        _ if blocks.is_empty() => "unable to parse bytes as PEM block".to_owned(),
        Some(reason) => format!("failed to parse certificate: x509: {reason}"),
        None => "no valid certificate authority data seen".to_owned(),
    };
    let detail = format!("unable to load root certificates: {reason}");
    errors.invalid(path, Shown::TypedText(bundle), detail);
}

/// A block of PEM.
struct Block {
    /// Whether it is of type `CERTIFICATE` and has no headers.
    is_certificate: bool,
    bytes: Vec<u8>,
}

/// The PEM blocks of a text. Other text is ignored.
struct Blocks<'t>(&'t str);

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        const BEGIN: &str = "-----BEGIN ";
        loop {
            let text = self.0;
            let body = match text.strip_prefix(BEGIN) {
                Some(body) => body,
                None => text.split_once(&format!("\n{BEGIN}"))?.1,
            };
            self.0 = body;
            let Some((type_, body)) = body.split_once("-----") else { continue };
            let Some((body, after)) = body.split_once(&format!("-----END {type_}-----")) else {
                continue;
            };
            self.0 = after;
            // Base64 has no colon, so a line with one is a header.
            if body.contains(':') {
                return Some(Block { is_certificate: false, bytes: Vec::new() });
            }
            let data: String = body.split_ascii_whitespace().collect();
            if let Ok(bytes) = STANDARD.decode(data.as_bytes()) {
                return Some(Block { is_certificate: type_ == "CERTIFICATE", bytes });
            }
        }
    }
}

/// Checks that a certificate is one DER sequence that begins with another. The rest is not parsed.
///
/// Source: Go's `crypto/x509/parser.go`, `parseCertificate`.
fn check_certificate(der: &[u8]) -> Result<(), &'static str> {
    let (certificate, rest) = sequence(der).ok_or("malformed certificate")?;
    if !rest.is_empty() {
        return Err("trailing data");
    }
    sequence(certificate).ok_or("malformed tbs certificate")?;
    Ok(())
}

/// The content of a DER sequence, and the bytes after it.
fn sequence(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = match der {
        [SEQUENCE, length @ 0..=0x7f, rest @ ..] | [SEQUENCE, 0x81, length, rest @ ..] => {
            (usize::from(*length), rest)
        }
        [SEQUENCE, 0x82, high, low, rest @ ..] => {
            (usize::from(u16::from_be_bytes([*high, *low])), rest)
        }
        _ => return None,
    };
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Path;

    #[track_caller]
    fn check_text(text: &str, want: &str) {
        let encoded = STANDARD.encode(text.as_bytes());
        let mut errors = Sink::new();
        check(&encoded, &Path::new("p"), &mut errors);
        let errors = errors.into_errors();
        let details: Vec<_> = errors.iter().map(|error| error.detail.as_str()).collect();
        let want = match want {
            "" => Vec::new(),
            reason => vec![format!("unable to load root certificates: {reason}")],
        };
        assert_eq!(details, want, "{text}");
    }

    #[test]
    fn bundles() {
        let block = |type_: &str, body: &str| {
            format!("-----BEGIN {type_}-----\n{body}\n-----END {type_}-----\n")
        };
        // DER: a sequence that contains a sequence.
        let good = block("CERTIFICATE", &STANDARD.encode(&[SEQUENCE, 2, SEQUENCE, 0]));
        check_text(&good, "");
        check_text(&format!("junk\n{}{good}", block("CERTIFICATE", "Zm9v")), "");
        check_text("foo", "unable to parse bytes as PEM block");
        check_text(&format!(" {good}"), "unable to parse bytes as PEM block");
        check_text(&block("CERTIFICATE", "!"), "unable to parse bytes as PEM block");
        check_text(&block("PRIVATE KEY", "Zm9v"), "no valid certificate authority data seen");
        let with_header = block("CERTIFICATE", "a: b\n\nZm9v");
        check_text(&with_header, "no valid certificate authority data seen");
        let malformed = "failed to parse certificate: x509: malformed";
        check_text(&block("CERTIFICATE", "Zm9v"), &format!("{malformed} certificate"));
        let integer = STANDARD.encode(&[SEQUENCE, 3, 2, 1, 5]);
        check_text(&block("CERTIFICATE", &integer), &format!("{malformed} tbs certificate"));
    }
}
