//! Responses of webhooks.
//!
//! Source: `pkg/admission/plugin/webhook/request/admissionreview.go` and `pkg/admission/plugin/webhook/errors` of
//! k8s.io/apiserver.

use crd_cel::gofmt::quote;
use serde_json::{Map, Value, json};

use super::super::failure::Failure;
use super::review::GROUP;

/// The response of an admission webhook, for [`ApiServerBuilder::admission`](super::super::ApiServerBuilder::admission).
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct AdmissionResponse {
    allowed: bool,
    status: Map<String, Value>,
    patch: Option<Value>,
    warnings: Vec<String>,
}

impl AdmissionResponse {
    /// Allows the request.
    pub fn allow() -> Self {
        Self { allowed: true, ..Self::default() }
    }

    /// Denies the request with this message and HTTP status 400. The client receives the message as
    /// `admission webhook "NAME" denied the request: MESSAGE`.
    pub fn deny(message: impl Into<String>) -> Self {
        let mut status = Map::new();
        status.insert("message".to_owned(), message.into().into());
        Self { status, ..Self::default() }
    }

    /// Allows the request and changes its object by a JSON patch, such as
    /// `json!([{"op": "add", "path": "/spec/size", "value": 3}])`. A validating webhook that returns a patch fails.
    pub fn patch(operations: Value) -> Self {
        Self { patch: Some(operations), ..Self::allow() }
    }

    /// Sets the HTTP status of a denial. The default is 400; a status below 400 becomes 400.
    pub fn code(mut self, code: u16) -> Self {
        self.status.insert("code".to_owned(), code.into());
        self
    }

    /// Adds a warning for the client.
    pub fn warn(mut self, warning: impl Into<String>) -> Self {
        self.warnings.push(warning.into());
        self
    }

    /// Returns the `response` of an `AdmissionReview` with the given `request`.
    pub(in super::super) fn to_value(&self, request: &Value) -> Value {
        let mut response = json!({"uid": request["uid"], "allowed": self.allowed});
        if let Value::Object(map) = &mut response {
            if !self.status.is_empty() {
                map.insert("status".to_owned(), self.status.clone().into());
            }
            if let Some(patch) = &self.patch {
                let bytes = k8s_openapi::ByteString(patch.to_string().into_bytes());
                map.insert("patch".to_owned(), json!(bytes));
                map.insert("patchType".to_owned(), "JSONPatch".into());
            }
            if !self.warnings.is_empty() {
                map.insert("warnings".to_owned(), self.warnings.clone().into());
            }
        }
        response
    }
}

/// A response that has been verified.
#[derive(Debug, Default)]
pub(super) struct ReviewResponse {
    allowed: bool,
    status: Option<Map<String, Value>>,
    /// The JSON text of the patch; empty if there is none.
    pub(super) patch: Vec<u8>,
    pub(super) patch_type: String,
    pub(super) warnings: Vec<String>,
}

impl ReviewResponse {
    /// Checks that the webhook allows the request. Source: `ToStatusErr`.
    ///
    /// # Errors
    /// The failure that the client receives.
    pub(super) fn check_allowed(&self, webhook: &str) -> Result<(), Failure> {
        if self.allowed {
            return Ok(());
        }
        let denied = format!("admission webhook {} denied the request", quote(webhook));
        let status = self.status.clone().unwrap_or_default();
        let text = |key: &str| status.get(key).and_then(Value::as_str).unwrap_or_default();
        let message = match (text("message"), text("reason")) {
            ("", "") => format!("{denied} without explanation"),
            ("", why) | (why, _) => format!("{denied}: {why}"),
        };
        Err(Failure::of_status(&status, message))
    }
}

/// Verifies a response. Source: `VerifyAdmissionResponse`.
///
/// # Errors
/// The server's message.
pub(super) fn verify(
    review: &Value,
    version: &str,
    uid: &str,
    is_mutating: bool,
) -> Result<ReviewResponse, String> {
    let Some(response) = review.get("response").filter(|response| response.is_object()) else {
        return Err("webhook response was absent".to_owned());
    };
    let text = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let is_v1 = version == "v1";
    if is_v1 {
        let found = text(response, "uid");
        if found != uid {
            return Err(format!("expected response.uid={}, got {}", quote(uid), quote(&found)));
        }
        let (api_version, kind) = (text(review, "apiVersion"), text(review, "kind"));
        if api_version != format!("{GROUP}/v1") || kind != "AdmissionReview" {
            let shown = if api_version.is_empty() { "/" } else { &api_version };
            return Err(format!(
                "expected webhook response of {GROUP}/v1, Kind=AdmissionReview, got {shown}, Kind={kind}"
            ));
        }
    }
    let patch = match response.get("patch") {
        None | Some(Value::Null) => Vec::new(),
        Some(patch) => {
            serde_json::from_value::<k8s_openapi::ByteString>(patch.clone())
                .map_err(|error| format!("response.patch is not base64: {error}"))?
                .0
        }
    };
    let patch_type = response.get("patchType").and_then(Value::as_str);
    match (is_mutating, is_v1) {
        (true, true) => {
            if !patch.is_empty() && patch_type.is_none() {
                return Err("webhook returned response.patch but not response.patchType".to_owned());
            }
            if patch.is_empty() && patch_type.is_some() {
                return Err("webhook returned response.patchType but not response.patch".to_owned());
            }
            if patch_type == Some("") {
                return Err("webhook returned invalid response.patchType of \"\"".to_owned());
            }
        }
        (false, true) => {
            if !patch.is_empty() {
                return Err("validating webhook may not return response.patch".to_owned());
            }
            if patch_type.is_some() {
                return Err("validating webhook may not return response.patchType".to_owned());
            }
        }
        (_, false) => {}
    }
    let warnings = response.get("warnings").and_then(Value::as_array).into_iter().flatten();
    Ok(ReviewResponse {
        allowed: response.get("allowed").and_then(Value::as_bool).unwrap_or_default(),
        status: response.get("status").and_then(Value::as_object).cloned(),
        patch: if is_mutating { patch } else { Vec::new() },
        patch_type: if is_v1 { patch_type.unwrap_or_default() } else { "JSONPatch" }.to_owned(),
        warnings: warnings.filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(response: &Value, is_mutating: bool, want: &str) {
        let review = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response,
        });
        assert_eq!(verify(&review, "v1", "u", is_mutating).unwrap_err(), want);
    }

    #[test]
    fn answers_are_checked() {
        check(&Value::Null, false, "webhook response was absent");
        check(&json!({"uid": "v"}), false, "expected response.uid=\"u\", got \"v\"");
        let patch = json!({"uid": "u", "patch": "W10=", "patchType": "JSONPatch"});
        check(&patch, false, "validating webhook may not return response.patch");
        let untyped = json!({"uid": "u", "patch": "W10="});
        check(&untyped, true, "webhook returned response.patch but not response.patchType");
        let of_nothing = json!({"uid": "u", "patchType": "JSONPatch"});
        check(&of_nothing, true, "webhook returned response.patchType but not response.patch");
        let bare = json!({"response": {"uid": "u"}});
        assert_eq!(
            verify(&bare, "v1", "u", false).unwrap_err(),
            "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="
        );
        assert!(verify(&bare, "v1beta1", "other", false).is_ok());
    }

    #[test]
    fn rejections_say_what_the_webhook_says() {
        let rejected = |status: Value| {
            let verdict =
                ReviewResponse { status: status.as_object().cloned(), ..ReviewResponse::default() };
            let failure = verdict.check_allowed("x").unwrap_err();
            (failure.code.as_u16(), failure.message)
        };
        let denied = "admission webhook \"x\" denied the request";
        assert_eq!(rejected(Value::Null), (400, format!("{denied} without explanation")));
        assert_eq!(rejected(json!({"message": "no", "code": 403})), (403, format!("{denied}: no")));
        assert_eq!(
            rejected(json!({"reason": "Why", "code": 200})),
            (400, format!("{denied}: Why"))
        );
    }
}
