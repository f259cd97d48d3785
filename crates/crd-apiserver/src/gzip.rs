//! Compresses large responses for clients that accept it.
//!
//! Source: `deferredResponseWriter` of `pkg/endpoints/handlers/responsewriters/writers.go`.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Response, header};

use super::response::ResponseBody;

/// The length in bytes up to which a body is not compressed. Source: `defaultGzipThresholdBytes`.
const THRESHOLD: usize = 128 * 1024;

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
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // A vector takes everything.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}
