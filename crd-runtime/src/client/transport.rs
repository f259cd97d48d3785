//! Sends a request and reads the answer. A failure keeps the server's status and headers.
//!
//! kube's own calls drop the headers of a failure, and with them how long the server asks to wait.

use std::time::Duration;

use crd_cel::kubernetes::KubernetesVersion;
use http::{HeaderMap, Request, header};
use kube::Client;
use kube::client::Body;
use kube::core::Status;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{Error, ErrorKind, RequestContext, TypeMismatch, classify};
use super::kind::{Kind, schema_of};
use crate::field::ErrorList;

/// The maximum length that is kept of a failure's body if it is not a status, in bytes.
const MAX_TEXT_BYTES: usize = 1024;

/// A request that kube has built, or its error.
pub(super) type BuiltRequest = Result<Request<Vec<u8>>, kube::core::request::Error>;

/// Sends a request and reads the whole answer.
pub(super) async fn send(
    client: &Client,
    context: &RequestContext,
    request: BuiltRequest,
) -> Result<Vec<u8>, Error> {
    let request = request.map_err(|error| context.error(ErrorKind::request(error)))?;
    let answer = client.send(request.map(Body::from)).await.map_err(|error| context.kube(error))?;
    let code = answer.status();
    let retry_after = retry_after(answer.headers());
    let body = answer.into_body().collect_bytes().await;
    let body = body.map_err(|error| context.error(ErrorKind::Interrupted(error.into())))?;
    if code.is_success() {
        return Ok(body.to_vec());
    }
    let status = status(code.as_u16(), &body);
    let retry_after = retry_after.or_else(|| classify::wait_of(&status));
    Err(context.error(ErrorKind::Status { status: status.boxed(), retry_after }))
}

/// Turns the error "not found" into `None`.
pub(super) fn found<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(object) => Ok(Some(object)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Sends a request and reads the answer as JSON.
pub(super) async fn json<T: DeserializeOwned>(
    client: &Client,
    context: &RequestContext,
    request: BuiltRequest,
) -> Result<T, Error> {
    let body = send(client, context, request).await?;
    parse(context, &body)
}

/// Sends a request and reads the answer as an object of the kind.
pub(super) async fn object<K: Kind>(
    client: &Client,
    context: &RequestContext,
    request: BuiltRequest,
) -> Result<K, Error> {
    let body = send(client, context, request).await?;
    // PERF: an object that fits its type is read without a `Value` in between.
    serde_json::from_slice(&body).or_else(|_| deserialize(context, &parse(context, &body)?))
}

/// Reads the JSON of an answer.
pub(super) fn parse<T: DeserializeOwned>(
    context: &RequestContext,
    body: &[u8],
) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        context.error(if error.is_eof() {
            ErrorKind::Interrupted(error.into())
        } else {
            ErrorKind::Unreadable(error)
        })
    })
}

/// Reads a `Value` as a type of the API.
pub(super) fn read<T: DeserializeOwned>(
    context: &RequestContext,
    value: &Value,
) -> Result<T, Error> {
    T::deserialize(value).map_err(|error| context.error(ErrorKind::Unreadable(error)))
}

/// Reads an object as the Rust type.
pub(super) fn deserialize<K: Kind>(context: &RequestContext, object: &Value) -> Result<K, Error> {
    K::deserialize(object).map_err(|error| mismatch::<K>(context, object, error))
}

/// Returns the error for an object that serde cannot read.
pub(super) fn mismatch<K: Kind>(
    context: &RequestContext,
    object: &Value,
    error: serde_json::Error,
) -> Error {
    let text = |key: &str| object.pointer(key).and_then(Value::as_str);
    let name = text("/metadata/name").unwrap_or_default();
    let name = match text("/metadata/namespace") {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    };
    let errors = schema_errors::<K>(object);
    context.error(ErrorKind::TypeMismatch(Box::new(TypeMismatch { object: name, error, errors })))
}

/// Validates an object that serde cannot read against the derived schema. Its errors name paths, which those of serde
/// do not.
fn schema_errors<K: Kind>(object: &Value) -> ErrorList {
    let Ok(schema) = schema_of::<K>(KubernetesVersion::REFERENCE) else {
        return ErrorList::new();
    };
    schema.validate(object)
}

/// Reads `Retry-After` of RFC 9110. API servers write it in seconds, never as a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Returns the status of a failure. Proxies, and an overloaded server, answer with plain text instead of a status.
fn status(code: u16, body: &[u8]) -> Status {
    if let Ok(mut status) = serde_json::from_slice::<Status>(body)
        && (status.code != 0 || !status.reason.is_empty() || !status.message.is_empty())
    {
        if status.code == 0 {
            status.code = code;
        }
        return status;
    }
    let kept = &body[..body.len().min(MAX_TEXT_BYTES)];
    Status::failure(String::from_utf8_lossy(kept).trim(), "").with_code(code)
}
