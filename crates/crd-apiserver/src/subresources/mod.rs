//! Subresources of built-in kinds that are not parts of their objects: what is posted to them has an effect on the
//! object, or is answered.
//!
//! Source: `pkg/registry/core/rest/storage_core.go` of kubernetes/kubernetes.

mod binding;
mod eviction;
mod proxy;
mod streams;
mod tokens;

use http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::admission::{self, AdmissionOperation};
use super::call::Call;
use super::core::Core;
use super::decoding::{ExpectedKind, RequestBody};
use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::media::{self, Accepted};
use super::query::{OptionsOf, WriteOptions};
use super::reply::Reply;
use super::store::Store;
use super::target::Part;
use super::{go_types, metadata};
use crate::admit::FieldValidation;
use crd_cel::kubernetes::KubernetesVersion;

/// Answers a request for such a subresource; returns `None` if it is of another kind.
pub(super) fn answer(core: &mut Core, call: &mut Call<'_>) -> Option<Answer<Reply>> {
    if call.part == Part::Log {
        let is_read = *call.request.method() == Method::GET;
        return Some(if is_read {
            log(&core.store, call)
        } else {
            Err(Failure::method_not_allowed())
        });
    }
    if matches!(call.part, Part::Attach | Part::Exec | Part::PortForward) {
        return Some(streams::connect(&core.store, call));
    }
    if matches!(call.part, Part::PodProxy | Part::ServiceProxy) {
        return Some(proxy::forward(&core.store, call));
    }
    let post: fn(&mut Core, &mut Call<'_>) -> Answer<Reply> = match call.part {
        Part::Binding => binding::bind,
        Part::Eviction => eviction::evict,
        Part::Token => tokens::request_token,
        _ => return None,
    };
    let is_post = *call.request.method() == Method::POST;
    Some(if is_post { post(core, call) } else { Err(Failure::method_not_allowed()) })
}

/// Returns the log of a pod, which is empty because pods are not run.
fn log(store: &Store, call: &Call<'_>) -> Answer<Reply> {
    stored_object(store, &call.kind, call.namespace(), &call.path.name)?;
    Ok(Reply::Document { media_type: "text/plain", body: Vec::new(), etag: None })
}

/// Returns a stored object.
///
/// # Errors
/// Status 404 if there is none.
fn stored_object(store: &Store, kind: &ServedKind, namespace: &str, name: &str) -> Answer<Value> {
    let stored = store.get(&kind.storage, &kind.key(namespace, name));
    kind.read(stored.ok_or_else(|| Failure::not_found(kind.resource(), name))?)
}

/// Reads what a client posts to a subresource, after the webhooks and policies have changed and checked it.
fn posted(core: &Core, call: &mut Call<'_>) -> Answer<(Value, Accepted)> {
    let accepted = call.accepted()?;
    let options = WriteOptions::parse(&call.query, OptionsOf::Create)?;
    let format = media::body_format(call.header(header::CONTENT_TYPE))?;
    let (group, version, kind) = call.part.other_kind().unwrap_or_default();
    let expected = ExpectedKind { group, version, kind };
    let body = RequestBody::read(call.request.body(), format, expected, core.catalog.kubernetes)?;
    let mut object = decoded(core.catalog.kubernetes, &body, expected, options.validation, call)?;
    let namespace = call.namespace().to_owned();
    metadata::match_namespace(&mut object, &namespace)?;
    let create = AdmissionOperation::Create;
    call.dry_run = options.dry_run;
    let object = admission::mutate(core, call, create, object, None)?;
    Ok((object, accepted))
}

/// Decodes a body by its Go type.
fn decoded(
    kubernetes: KubernetesVersion,
    body: &RequestBody<'_>,
    expected: ExpectedKind<'_>,
    validation: FieldValidation,
    call: &mut Call<'_>,
) -> Answer<Value> {
    let kind = expected.kind;
    let rejected = |why: &str| {
        let text = format!("{kind} in version \"v1\" cannot be handled as a {kind}: {why}");
        Failure::bad_request(text)
    };
    let mut object = body.decode(expected, kubernetes)?.value;
    let Some(type_) = expected.go_type() else { return Ok(object) };
    let minor = kubernetes.minor();
    let unknown = go_types::decode(type_, &mut object, minor).map_err(|why| rejected(&why))?;
    match validation {
        FieldValidation::Strict if !unknown.is_empty() => {
            Err(rejected(&format!("strict decoding error: {}", unknown.join(", "))))
        }
        FieldValidation::Warn => {
            call.warnings.extend(unknown);
            Ok(object)
        }
        _ => Ok(object),
    }
}

/// Returns the answer to a request that has had its effect.
fn success(accepted: &Accepted) -> Reply {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201,
    });
    Reply::value(StatusCode::CREATED, accepted, status)
}

/// Sets a condition in the status of a pod. Source: `UpdatePodCondition`.
fn set_condition(pod: &mut Value, mut condition: Value, now: &str) {
    let Value::Object(map) = pod else { return };
    let status = map.entry("status").or_insert_with(|| json!({}));
    let Value::Object(status) = status else { return };
    let list = status.entry("conditions").or_insert_with(|| json!([]));
    let Value::Array(list) = list else { return };
    condition["lastTransitionTime"] = now.into();
    match list.iter_mut().find(|known| known["type"] == condition["type"]) {
        Some(known) => {
            if known["status"] == condition["status"] {
                condition["lastTransitionTime"] = known["lastTransitionTime"].clone();
            }
            *known = condition;
        }
        None => list.push(condition),
    }
}
