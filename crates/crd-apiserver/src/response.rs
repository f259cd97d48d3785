//! HTTP responses, and the bodies of requests and responses.

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures::Stream;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::{Body as HttpBody, Frame};
use serde_json::Value;

use super::failure::Failure;
use super::media::{self, ResponseFormat};
use super::{ordered_json, pretty};
use crate::admit::MAX_BODY_BYTES;
use crate::yaml;

/// The error that a client gets if its connection breaks before the response.
pub(super) type ConnectionError = Box<dyn std::error::Error + Send + Sync>;

/// The body of a response.
pub(super) enum ResponseBody {
    /// All bytes; `None` if they have been sent or there are none.
    Whole(Option<Bytes>),
    /// The events of a watch.
    Stream(Pin<Box<dyn Stream<Item = Bytes> + Send>>),
}

impl ResponseBody {
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self::Whole(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// Returns the whole body; empty for a stream.
    pub(super) fn bytes(&self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes.clone().unwrap_or_default(),
            Self::Stream(_) => Bytes::new(),
        }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take()),
            Self::Stream(stream) => stream.as_mut().poll_next(context),
        };
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }
}

/// Returns a response whose body is a value in this format.
pub(super) fn encoded(
    code: StatusCode,
    format: ResponseFormat,
    value: &Value,
) -> Response<ResponseBody> {
    match format {
        ResponseFormat::Json => json_text(code, &ordered_json::to_string(value)),
        ResponseFormat::Yaml => response(code, format.media_type(), yaml::to_answer(value).into()),
    }
}

/// Returns a response with JSON as its body.
pub(super) fn json_text(code: StatusCode, text: &str) -> Response<ResponseBody> {
    response(code, ResponseFormat::Json.media_type(), [text, "\n"].concat().into())
}

/// Returns a response with this status, media type and body.
pub(super) fn response(
    code: StatusCode,
    media_type: &'static str,
    body: Bytes,
) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::whole(body));
    *response.status_mut() = code;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Returns a response with its JSON indented, for people.
pub(super) fn indented(mut response: Response<ResponseBody>) -> Response<ResponseBody> {
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|type_| type_ == ResponseFormat::Json.media_type());
    if is_json {
        let bytes = response.body().bytes();
        let text = pretty::indented(String::from_utf8_lossy(&bytes).trim_end());
        *response.body_mut() = ResponseBody::whole(text.into());
    }
    response
}

/// Returns the format in which a failure is written: the format that the client accepts without a transformation,
/// otherwise JSON.
/// Source: `ErrorNegotiated`.
pub(super) fn format_of_failures(request: &Request<Vec<u8>>) -> ResponseFormat {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let accepted = media::negotiate(accept.unwrap_or_default(), media::allows_none);
    accepted.map_or(ResponseFormat::Json, |accepted| accepted.format)
}

/// Returns the response for a failure, as JSON.
pub(super) fn failed(failure: &Failure) -> Response<ResponseBody> {
    failed_in(failure, ResponseFormat::Json)
}

/// Returns the response for a failure, in this format.
pub(super) fn failed_in(failure: &Failure, format: ResponseFormat) -> Response<ResponseBody> {
    if failure.is_text() {
        let body = Bytes::from(failure.message.clone());
        let is_empty = body.is_empty();
        let mut response = response(failure.code, "text/plain; charset=utf-8", body);
        if is_empty {
            response.headers_mut().remove(header::CONTENT_TYPE);
        }
        return response;
    }
    let mut response = encoded(failure.code, format, &failure.to_value());
    if let Some(seconds) = failure.retry_after_seconds() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// Returns the response with a document: status 304 without a body if the client already has the version with this
/// `ETag`.
pub(super) fn document(
    request: &Request<Vec<u8>>,
    media_type: &'static str,
    body: Vec<u8>,
    etag: Option<&str>,
) -> Response<ResponseBody> {
    let etag = etag.and_then(|etag| HeaderValue::from_str(&format!("\"{etag}\"")).ok());
    let is_known = etag.is_some() && request.headers().get(header::IF_NONE_MATCH) == etag.as_ref();
    let mut response = if is_known {
        response(StatusCode::NOT_MODIFIED, media_type, Bytes::new())
    } else {
        response(StatusCode::OK, media_type, body.into())
    };
    if let Some(etag) = etag {
        response.headers_mut().insert(header::ETAG, etag);
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public"));
    }
    response
}

/// Reads a body. If the body is larger than [`MAX_BODY_BYTES`], returns more bytes than that, so that the caller can
/// reject it, and discards the rest.
pub(super) async fn read<B>(body: B) -> Result<Vec<u8>, ConnectionError>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    use bytes::{Buf as _, BufMut as _};
    let mut body = pin!(body);
    let mut all = BytesMut::new();
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await
    {
        if let Ok(mut data) = frame.map_err(Into::into)?.into_data() {
            while data.has_remaining() && all.len() <= MAX_BODY_BYTES {
                let chunk = data.chunk();
                all.put_slice(chunk);
                let length = chunk.len();
                data.advance(length);
            }
        }
    }
    Ok(all.to_vec())
}
