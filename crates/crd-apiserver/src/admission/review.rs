//! The `AdmissionReview` that is sent to a webhook.
//!
//! Source: `pkg/admission/plugin/webhook/request/admissionreview.go` of k8s.io/apiserver.

use serde_json::{Map, Value, json};

use super::super::kind::ServedKind;
use super::Attributes;

/// The group of `AdmissionReview`.
pub(super) const GROUP: &str = "admission.k8s.io";

/// Returns an `AdmissionReview` without its uid, which is set when it is sent. Source: `CreateV1AdmissionReview`.
pub(super) fn of(attributes: &Attributes, sent_as: &ServedKind, version: &str) -> Value {
    let mut request = request(attributes, sent_as);
    request.insert("object".to_owned(), attributes.object.clone().unwrap_or_default());
    request.insert("oldObject".to_owned(), attributes.old.clone().unwrap_or_default());
    json!({"kind": "AdmissionReview", "apiVersion": format!("{GROUP}/{version}"), "request": request})
}

/// Returns the `request` of an `AdmissionReview`, without its uid and its objects.
pub(super) fn request(attributes: &Attributes, sent_as: &ServedKind) -> Map<String, Value> {
    let kind = |kind: &ServedKind| match attributes.part.other_kind() {
        Some((group, version, kind)) => json!({"group": group, "version": version, "kind": kind}),
        None => json!({"group": kind.group, "version": kind.version, "kind": kind.names.kind}),
    };
    let resource = |kind: &ServedKind| json!({"group": kind.group, "version": kind.version, "resource": kind.names.plural});
    let own = &attributes.kind;
    let mut request = Map::new();
    let mut put = |key: &str, value: Value| {
        if value.as_str() != Some("") {
            request.insert(key.to_owned(), value);
        }
    };
    put("kind", kind(sent_as));
    put("resource", resource(sent_as));
    put("requestKind", kind(own));
    put("requestResource", resource(own));
    put("subResource", attributes.subresource.clone().into());
    put("requestSubResource", attributes.subresource.clone().into());
    put("name", attributes.name.clone().into());
    put("namespace", attributes.namespace.clone().into());
    put("operation", attributes.operation.text().into());
    put("userInfo", attributes.user.to_value());
    put("dryRun", attributes.dry_run.into());
    put("options", attributes.options.clone());
    request
}
