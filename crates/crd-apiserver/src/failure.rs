//! Failures of requests: the server's `Status` objects and their messages.
//!
//! Source: `k8s.io/apimachinery/pkg/api/errors/errors.go`.

use std::borrow::Cow;

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::field::ErrorList;

/// The message for a write whose path has no name. Source: `ContextBasedNaming.Name`.
pub(super) const NO_NAME: &str = "name must be provided";
/// The message for a method that the path does not support.
const METHOD_NOT_ALLOWED: &str = "the server does not allow this method on the requested resource";

/// The result of an operation, or the failure of its request.
pub(super) type Answer<T> = Result<T, Failure>;

/// The failure of a request, which is usually sent as a `Status`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    pub(super) code: StatusCode,
    /// The reason, such as `NotFound`; empty if the server gives none.
    pub(super) reason: Cow<'static, str>,
    pub(super) message: String,
    details: Map<String, Value>,
    /// Whether the request matches no route, so that no handler was called. Then `details` are written even if empty.
    is_without_route: bool,
    /// Whether only the message is sent.
    is_text: bool,
    /// The token with which a client can continue a list whose own token has expired.
    pub(super) continue_token: Option<Box<str>>,
}

/// A group, and a resource or a kind in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupResource<'a> {
    pub(super) group: &'a str,
    pub(super) kind: &'a str,
}

impl GroupResource<'_> {
    /// Returns the qualified name, such as `widgets.example.com`, or `pods` in the core group.
    fn text(&self) -> String {
        if self.group.is_empty() {
            self.kind.to_owned()
        } else {
            format!("{}.{}", self.kind, self.group)
        }
    }

    fn details(&self, name: &str) -> Map<String, Value> {
        let entries = [("group", self.group), ("kind", self.kind), ("name", name)];
        let entries = entries.into_iter().filter(|(_, value)| !value.is_empty());
        entries.map(|(key, value)| (key.to_owned(), value.into())).collect()
    }
}

impl Failure {
    fn new(code: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            reason: reason.into(),
            message,
            details: Map::new(),
            is_without_route: false,
            is_text: false,
            continue_token: None,
        }
    }

    /// Returns a failure with the code, reason and details of a given status, and with another message.
    pub(super) fn of_status(status: &Map<String, Value>, message: String) -> Self {
        let code = status.get("code").and_then(Value::as_u64).unwrap_or_default();
        let code = u16::try_from(code).ok().and_then(|code| StatusCode::from_u16(code).ok());
        let is_failure = |code: &StatusCode| *code >= StatusCode::BAD_REQUEST;
        let reason = status.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            code: code.filter(is_failure).unwrap_or(StatusCode::BAD_REQUEST),
            reason: reason.into(),
            message,
            details: status.get("details").and_then(Value::as_object).cloned().unwrap_or_default(),
            is_without_route: false,
            is_text: false,
            continue_token: None,
        }
    }

    fn with_object(mut self, of: GroupResource<'_>, name: &str) -> Self {
        self.details = of.details(name);
        self
    }

    fn with_causes(mut self, causes: impl IntoIterator<Item = Value>) -> Self {
        let causes: Vec<Value> = causes.into_iter().collect();
        if !causes.is_empty() {
            self.details.insert("causes".to_owned(), causes.into());
        }
        self
    }

    fn with_retry_after(mut self, seconds: u32) -> Self {
        if seconds > 0 {
            self.details.insert("retryAfterSeconds".to_owned(), seconds.into());
        }
        self
    }

    /// Returns the number of seconds after which the client is to retry.
    pub(super) fn retry_after_seconds(&self) -> Option<u64> {
        self.details.get("retryAfterSeconds")?.as_u64()
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BadRequest", message)
    }

    pub(super) fn not_found(of: GroupResource<'_>, name: &str) -> Self {
        let message = format!("{} {name:?} not found", of.text());
        Self::new(StatusCode::NOT_FOUND, "NotFound", message).with_object(of, name)
    }

    /// Returns the failure for a path that does not exist. The message is sent as plain text.
    pub(super) fn no_such_path() -> Self {
        Self::new(StatusCode::NOT_FOUND, "", "404 page not found\n")
    }

    /// Returns the failure for a document that does not exist. The response has no body.
    pub(super) fn empty_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "", "")
    }

    /// No media type of the document is acceptable. The response has no body.
    pub(super) fn empty_not_acceptable() -> Self {
        Self::new(StatusCode::NOT_ACCEPTABLE, "", "")
    }

    /// The path does not exist in a built-in group. Source: `serviceErrorHandler` of `pkg/server/handler.go`.
    pub(super) fn no_such_route() -> Self {
        let message = "the server could not find the requested resource";
        let mut failure = Self::new(StatusCode::NOT_FOUND, "NotFound", message);
        failure.is_without_route = true;
        failure
    }

    /// Returns whether the failure is sent as plain text instead of a `Status`.
    pub(super) fn is_text(&self) -> bool {
        self.is_text
            || self.reason.is_empty()
                && matches!(self.code, StatusCode::NOT_FOUND | StatusCode::NOT_ACCEPTABLE)
    }

    pub(super) fn already_exists(of: GroupResource<'_>, name: &str) -> Self {
        let message = format!("{} {name:?} already exists", of.text());
        Self::new(StatusCode::CONFLICT, "AlreadyExists", message).with_object(of, name)
    }

    pub(super) fn generated_name_exists(of: GroupResource<'_>, name: &str) -> Self {
        let message = format!(
            "{} {name:?} already exists, the server was not able to generate a unique name for the object",
            of.text()
        );
        let failure = Self::new(StatusCode::CONFLICT, "AlreadyExists", message);
        failure.with_object(of, name).with_retry_after(1)
    }

    pub(super) fn conflict(of: GroupResource<'_>, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {} {name:?}: {why}", of.text());
        Self::new(StatusCode::CONFLICT, "Conflict", message).with_object(of, name)
    }

    /// Returns the failure for an apply that changes fields of other managers. Each cause has a message and a field.
    pub(super) fn apply_conflict(message: String, causes: Vec<(String, String)>) -> Self {
        let causes = causes.into_iter().map(|(message, field)| {
            json!({"reason": "FieldManagerConflict", "message": message, "field": field})
        });
        Self::new(StatusCode::CONFLICT, "Conflict", message).with_causes(causes)
    }

    pub(super) fn forbidden(of: GroupResource<'_>, name: &str, why: &str) -> Self {
        let message = match (of.text(), name) {
            (of, _) if of.is_empty() => format!("forbidden: {why}"),
            (of, "") => format!("{of} is forbidden: {why}"),
            (of, name) => format!("{of} {name:?} is forbidden: {why}"),
        };
        Self::new(StatusCode::FORBIDDEN, "Forbidden", message).with_object(of, name)
    }

    pub(super) fn too_many_requests(message: &str, retry_after: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", message)
            .with_retry_after(retry_after)
    }

    /// Adds the cause of a failure.
    pub(super) fn with_cause(self, reason: &str, message: &str) -> Self {
        self.with_causes([json!({"reason": reason, "message": message})])
    }

    /// Returns the failure of a policy, with the code and the reason that the policy gives.
    pub(super) fn with_policy(mut self, code: StatusCode, reason: &'static str, why: &str) -> Self {
        (self.code, self.reason) = (code, reason.into());
        self.with_causes([json!({"message": why})])
    }

    /// Adds the messages of mutating policies, the first of which becomes that of the failure. The status code remains.
    /// Source: `policyDispatcher.Dispatch`.
    pub(super) fn with_mutating_policies(
        mut self,
        reason: &'static str,
        messages: &[String],
    ) -> Self {
        self.message = messages.first().cloned().unwrap_or_default();
        self.reason = reason.into();
        self.with_causes(messages.iter().map(|message| json!({"message": message})))
    }

    /// Returns the failure for a new object whose namespace is being deleted.
    pub(super) fn namespace_terminating(
        of: GroupResource<'_>,
        name: &str,
        namespace: &str,
    ) -> Self {
        let why = format!(
            "unable to create new content in namespace {namespace} because it is being terminated"
        );
        Self::forbidden(of, name, &why).with_causes([json!({
            "reason": "NamespaceTerminating",
            "message": format!("namespace {namespace} is being terminated"),
            "field": "metadata.namespace",
        })])
    }

    pub(super) fn invalid(of: GroupResource<'_>, name: &str, errors: &ErrorList) -> Self {
        let causes = errors.iter().map(|error| {
            json!({"reason": error.kind.as_reason(), "message": error.body(), "field": error.field})
        });
        let message = format!("{} {name:?} is invalid: {errors}", of.text());
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message)
            .with_object(of, name)
            .with_causes(causes)
    }

    /// Returns the failure for a patch that cannot be applied to the object. The message gives no reason.
    pub(super) fn patch_does_not_apply() -> Self {
        let message = "the server rejected our request due to an error in our request";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message)
    }

    pub(super) fn method_not_supported(of: GroupResource<'_>, verb: &str) -> Self {
        let message = format!("{verb} is not supported on resources of kind {:?}", of.text());
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message).with_object(of, "")
    }

    /// Returns the failure for a path that does not support the method.
    pub(super) fn method_not_allowed() -> Self {
        let mut failure =
            Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", METHOD_NOT_ALLOWED);
        failure.is_without_route = true;
        failure
    }

    pub(super) fn not_acceptable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_ACCEPTABLE, "NotAcceptable", message)
    }

    /// Returns the failure for a request whose accepted media types no route of a built-in kind produces.
    pub(super) fn no_route_for(message: &str) -> Self {
        let mut failure = Self::not_acceptable(message);
        failure.is_without_route = true;
        failure
    }

    pub(super) fn unsupported_media_type(accepted: &[&str]) -> Self {
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {}",
            accepted.join(", ")
        );
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", message)
    }

    pub(super) fn too_large(message: &str) -> Self {
        let message = format!("Request entity too large: {message}");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", message)
    }

    pub(super) fn expired(message: impl Into<String>) -> Self {
        Self::new(StatusCode::GONE, "Expired", message)
    }

    /// Returns the failure for a request that takes too long.
    pub(super) fn timeout(message: &str) -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "Timeout", message)
    }

    /// Returns the failure for a resource version that is newer than the current one. It asks the client to retry after
    /// one second. Upstream returns it only after it has waited for the version.
    pub(super) fn too_new(wanted: u64, current: u64) -> Self {
        Self::too_new_in_storage(wanted, current).with_retry_after(1)
    }

    /// Returns the failure for a read from storage at a resource version that is newer than the current one. Such a
    /// read does not wait, and the client is not asked to retry.
    pub(super) fn too_new_in_storage(wanted: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {wanted}, current: {current}");
        let cause = json!({
            "reason": "ResourceVersionTooLarge", "message": "Too large resource version",
        });
        Self::new(StatusCode::GATEWAY_TIMEOUT, "Timeout", message).with_causes([cause])
    }

    pub(super) fn unavailable(message: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable", message)
    }

    /// Returns a failure with status 500 and no reason, which the server sends for an error that is not a `Status`.
    pub(super) fn bare(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "", message)
    }

    /// Returns the failure of a request whose handler has panicked. The message is sent as plain text.
    pub(super) fn panicked() -> Self {
        let message = "This request caused apiserver to panic. Look in the logs for details.\n";
        Self { is_text: true, ..Self::bare(message) }
    }

    pub(super) fn internal(message: &str) -> Self {
        let text = format!("Internal error occurred: {message}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", text)
            .with_causes([json!({"message": message})])
    }

    /// Returns the failure of a list that contains undecodable objects, with the key and the message of each.
    /// Source: `listErrorAggregator` of `pkg/storage/etcd3/corrupt_obj_deleter.go`.
    pub(super) fn unreadable_list(of: GroupResource<'_>, corrupt: &[(String, String)]) -> Self {
        let first = corrupt.first().map_or("", |(_, message)| message);
        let more = match corrupt.len() {
            0 | 1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let message =
            format!("failed to read one or more {} from the storage: {first}{more}", of.text());
        let mut failure = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "StorageReadError", message);
        failure.details = of.details("list");
        failure.with_causes(corrupt.iter().map(|(key, message)| {
            json!({"reason": "UnexpectedServerResponse", "message": message, "field": key})
        }))
    }

    /// Returns the failure as a `Status`.
    pub(super) fn to_value(&self) -> Value {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "code": self.code.as_u16(),
        });
        if let Value::Object(map) = &mut status {
            if !self.message.is_empty() {
                map.insert("message".to_owned(), self.message.clone().into());
            }
            if !self.reason.is_empty() {
                map.insert("reason".to_owned(), self.reason.clone().into());
            }
            if self.has_details() {
                map.insert("details".to_owned(), self.details.clone().into());
            }
            if let Some(token) = &self.continue_token {
                map.insert("metadata".to_owned(), json!({"continue": token}));
            }
        }
        status
    }

    /// Returns whether `details` are written. Some failures write them even if empty, because the upstream constructor
    /// sets them.
    fn has_details(&self) -> bool {
        !self.details.is_empty()
            || self.is_without_route
            || (self.code == StatusCode::UNPROCESSABLE_ENTITY && self.reason == "Invalid")
            || (self.code == StatusCode::FORBIDDEN && self.reason == "Forbidden")
    }
}
