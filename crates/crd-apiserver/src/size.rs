//! The maximum size of an object in etcd.

use serde_json::Value;

use super::failure::{Answer, Failure};
use super::kind::{ServedKind, Strategy};
use super::metadata;
use crate::json;

/// The maximum size of a request to etcd, in bytes. Source: `DefaultMaxRequestBytes` of etcd's `server/embed/config.go`.
const MAX_REQUEST_BYTES: usize = 3 * 512 * 1024;
/// The maximum size of a message that etcd's client sends, in bytes. Source: `defaultMaxCallSendMsgSize` of etcd's
/// `client/v3/options.go`.
const MAX_MESSAGE_BYTES: usize = 2 * 1024 * 1024;

/// Returns an object that is about to be stored, without its managed fields if it is too large with them.
///
/// Source: `isTooLargeError` of `k8s.io/apiserver/pkg/endpoints/handlers/rest.go`, and its callers.
///
/// # Errors
/// Status 500 for an object that is too large.
pub(super) fn limited(kind: &ServedKind, mut object: Value) -> Answer<Value> {
    if stored_bytes(kind, &object) <= MAX_REQUEST_BYTES {
        return Ok(object);
    }
    metadata::of_mut(&mut object).remove("managedFields");
    match stored_bytes(kind, &object) {
        0..=MAX_REQUEST_BYTES => Ok(object),
        bytes if bytes > MAX_MESSAGE_BYTES => Err(Failure::bare(format!(
            "rpc error: code = ResourceExhausted desc = trying to send message larger than max ({bytes} vs. \
             {MAX_MESSAGE_BYTES})"
        ))),
        _ => Err(Failure::bare("etcdserver: request is too large")),
    }
}

/// Returns the size of an object as it is stored: of its JSON, or for built-in kinds about that of its Protocol
/// Buffers, in which text is not escaped.
fn stored_bytes(kind: &ServedKind, object: &Value) -> usize {
    match kind.strategy {
        Strategy::BuiltIn(_) => message_bytes(object),
        Strategy::Custom { .. } | Strategy::Definition => json::to_go_string(object).len(),
    }
}

/// Returns about the size of a value as a field of a message, with a tag and a length of one byte each.
fn message_bytes(value: &Value) -> usize {
    2 + match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 4,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(message_bytes).sum(),
        Value::Object(map) => map.values().map(message_bytes).sum(),
    }
}
