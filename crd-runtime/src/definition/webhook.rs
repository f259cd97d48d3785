//! Where a webhook is reached.

use crd_cel::domain::url::Url;
use serde_json::Value;

use super::base64;
use super::dump;
use crate::field::{Error, ErrorList, Path};
use crate::model::ServiceReference;
use crate::names::dns1123_subdomain;

const FORM: &str = "; desired format: https://host[/path]";

/// Source: `k8s.io/apiserver/pkg/util/webhook/validation.go`, `ValidateWebhookURL`.
pub(super) fn check_url(text: &str, path: &Path<'_>, errors: &mut ErrorList) {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{FORM}");
            errors.push(Error::required(path, detail));
            return;
        }
    };
    if url.scheme() != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        errors.push(Error::invalid(path, url.scheme(), detail));
    }
    if url.host().is_empty() {
        errors.push(Error::invalid(path, "", format!("host must be specified{FORM}")));
    }
    if let Some(user) = url.user_info() {
        let detail = "user information is not permitted in the URL";
        errors.push(Error::invalid(path, user, detail));
    }
    if !url.fragment().is_empty() {
        let detail = "fragments are not permitted in the URL";
        errors.push(Error::invalid(path, url.fragment(), detail));
    }
    if !url.raw_query().is_empty() {
        let detail = "query parameters are not permitted in the URL";
        errors.push(Error::invalid(path, url.raw_query(), detail));
    }
}

/// Source: `k8s.io/apiserver/pkg/util/webhook/validation.go`, `ValidateWebhookService`.
pub(super) fn check_service(service: &ServiceReference, path: &Path<'_>, errors: &mut ErrorList) {
    // Upstream: the two are passed the wrong way round, so that each is missed in the other's place.
    for (key, value) in [("name", &service.namespace), ("namespace", &service.name)] {
        if value.is_empty() {
            errors.push(Error::required(&path.field(key), ""));
        }
    }
    let port = service.port.unwrap_or_default();
    if !(1..=65535).contains(&port) {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.push(Error::invalid(&path.field("port"), port, detail));
    }
    if let Some(text) = &service.path {
        check_path(text, &path.field("path"), errors);
    }
}

fn check_path(text: &str, path: &Path<'_>, errors: &mut ErrorList) {
    let mut fail = |detail: String| errors.push(Error::invalid(path, text, detail));
    match text {
        "" | "/" => return,
        "//" => return fail("segment[0] may not be empty".to_owned()),
        _ => {}
    }
    if !text.starts_with('/') {
        fail("must start with a '/'".to_owned());
    }
    // Upstream: the first byte goes, a slash or not.
    let rest = text.as_bytes().get(1..).unwrap_or_default();
    let rest = rest.strip_suffix(b"/").unwrap_or(rest);
    for (index, segment) in rest.split(|byte| *byte == b'/').enumerate() {
        if segment.is_empty() {
            fail(format!("segment[{index}] may not be empty"));
            continue;
        }
        for message in dns1123_subdomain(&String::from_utf8_lossy(segment)) {
            fail(format!("segment[{index}]: {message}"));
        }
    }
}

/// Checks that certificates, in base64, hold one that parses.
///
/// Divergence: of a certificate only the outermost structure is read.
///
/// Source: `k8s.io/client-go/transport`, `rootCertPool`.
pub(super) fn check_ca_bundle(bundle: &str, path: &Path<'_>, errors: &mut ErrorList) {
    let bytes = base64::decode(bundle).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let blocks: Vec<Block> = blocks(&text).collect();
    let certificates = || blocks.iter().filter(|block| block.is_certificate);
    if certificates().any(|block| is_certificate(&block.bytes)) {
        return;
    }
    let reason = if blocks.is_empty() {
        "unable to parse bytes as PEM block"
    } else if certificates().next().is_some() {
        "failed to parse certificate: x509: malformed certificate"
    } else {
        "no valid certificate authority data seen"
    };
    let shown = dump::json(&Value::from(bundle));
    let detail = format!("unable to load root certificates: {reason}");
    errors.push(Error::invalid(path, shown, detail));
}

/// A block of PEM.
struct Block {
    /// Whether it is of type `CERTIFICATE` and has no headers.
    is_certificate: bool,
    bytes: Vec<u8>,
}

fn blocks(text: &str) -> impl Iterator<Item = Block> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, begin) = rest.split_once("-----BEGIN ")?;
            let (type_, body) =
                begin.split_once("-----\n").or_else(|| begin.split_once("-----\r\n"))?;
            let end = format!("-----END {type_}-----");
            let Some((body, after)) = body.split_once(&end) else {
                rest = begin;
                continue;
            };
            rest = after;
            let data: String = body.split_ascii_whitespace().collect();
            let has_headers = body.contains(':');
            if has_headers {
                return Some(Block { is_certificate: false, bytes: Vec::new() });
            }
            if let Ok(bytes) = base64::decode(&data) {
                return Some(Block { is_certificate: type_ == "CERTIFICATE", bytes });
            }
        }
    })
}

/// Whether bytes are one DER sequence from end to end.
fn is_certificate(der: &[u8]) -> bool {
    let (length, header) = match der {
        [0x30, length @ 0..=0x7f, ..] => (usize::from(*length), 2),
        [0x30, 0x81, length, ..] => (usize::from(*length), 3),
        [0x30, 0x82, high, low, ..] => (usize::from(*high) << 8 | usize::from(*low), 4),
        _ => return false,
    };
    length > 0 && der.len() == header + length
}
