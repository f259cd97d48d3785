//! `serviceaccounts/token`, and the tokens of service accounts.
//!
//! Divergence: tokens are signed with a key that every server has, not with one of RSA.
//!
//! Source: `pkg/registry/core/serviceaccount/storage/token.go` and `pkg/serviceaccount` of kubernetes/kubernetes.

use std::time::{Duration, UNIX_EPOCH};

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::super::admission::{self, AdmissionOperation};
use super::super::call::Call;
use super::super::core::Core;
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::reply::Reply;
use super::super::source::Clock;
use super::super::store::Store;
use super::super::token::{self, AUDIENCE};
use super::super::{fields, metadata};
use super::{posted, stored_object};
use crate::field::{ErrorList, Path, Sink};

/// The kind of the request, as errors name it.
const OF: GroupResource<'static> =
    GroupResource { group: "authentication.k8s.io", kind: "TokenRequest" };
/// The lifetime of a token whose request names none, in seconds.
const DEFAULT_SECONDS: i64 = 3_600;
/// The shortest lifetime of a token, in seconds. Source: `MinTokenAgeSec`.
const MIN_SECONDS: i64 = 600;

/// Returns a token of a service account.
///
/// # Errors
/// Status 404 if the account or the object that the token is bound to does not exist, 422 for a wrong lifetime.
pub(super) fn request_token(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let (mut request, accepted) = posted(core, call)?;
    let (kind, name) = (call.kind.clone(), call.path.name.clone());
    let namespace = call.namespace().to_owned();
    let named = metadata::text(&request, "name");
    if !named.is_empty() && named != name {
        let path = Path::new("metadata.name");
        let why = "must match the service account name if specified";
        let errors: ErrorList = crate::field::Error::invalid(&path, named, why).into();
        return Err(Failure::invalid(OF, &name, &errors));
    }
    let account = stored_object(&core.store, &kind, &namespace, &name)?;
    let uid = metadata::text(&account, "uid").to_owned();
    let wanted = metadata::text(&request, "uid");
    if !wanted.is_empty() && wanted != uid {
        let why = format!(
            "the UID in the token request ({wanted}) does not match the UID of the service account ({uid})"
        );
        return Err(Failure::conflict(OF, &name, &why));
    }
    let spec = complete(&mut request);
    let seconds = spec.get("expirationSeconds").and_then(Value::as_i64).unwrap_or_default();
    let mut errors = Sink::of(core.catalog.kubernetes);
    let path = Path::new("spec.expirationSeconds");
    if seconds < MIN_SECONDS {
        errors.invalid(&path, seconds, "may not specify a duration less than 10 minutes");
    } else if seconds > 1 << 32 {
        errors.invalid(&path, seconds, "may not specify a duration larger than 2^32 seconds");
    }
    let errors = errors.into_errors();
    if !errors.is_empty() {
        return Err(Failure::invalid(OF, "", &errors));
    }
    metadata::set_text(&mut request, "name", &name);
    metadata::set_text(&mut request, "namespace", &namespace);
    metadata::set_text(&mut request, "uid", &uid);
    metadata::set_text(&mut request, "creationTimestamp", &core.clock.text());
    admission::validate(core, call, AdmissionOperation::Create, &request, None)?;
    let bound = bound_object(&core.store, &name, &namespace, &spec)?;
    let now = core.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let lifetime = u64::try_from(seconds).unwrap_or_default();
    let mut of = json!({
        "namespace": namespace, "serviceaccount": {"name": name, "uid": uid},
    });
    if let (Value::Object(of), Some((key, value))) = (&mut of, bound) {
        of.insert(key, value);
    }
    let claims = json!({
        "aud": spec["audiences"], "exp": now + lifetime, "iat": now, "iss": token::ISSUER,
        "jti": core.ids.uid(), "kubernetes.io": of, "nbf": now,
        "sub": format!("system:serviceaccount:{namespace}:{name}"),
    });
    let until = Clock(core.clock.now() + Duration::from_secs(lifetime)).text();
    request["status"] = json!({"token": token::sign(&claims), "expirationTimestamp": until});
    request["apiVersion"] = "authentication.k8s.io/v1".into();
    request["kind"] = "TokenRequest".into();
    Ok(Reply::value(StatusCode::CREATED, &accepted, request))
}

/// Returns the claim of the object that a token is bound to; `None` if there is none.
fn bound_object(
    store: &Store,
    account: &str,
    namespace: &str,
    spec: &Value,
) -> Answer<Option<(String, Value)>> {
    let Some(reference) = fields::object(spec, "boundObjectRef") else { return Ok(None) };
    let text = |key| fields::text(reference, key);
    let (version, kind, name) = (text("apiVersion"), text("kind"), text("name"));
    let (resource, key) = match (version, kind) {
        ("v1", "Pod") => ("/pods", format!("{namespace}/{name}")),
        ("v1", "Secret") => ("/secrets", format!("{namespace}/{name}")),
        ("v1", "Node") => ("/nodes", name.to_owned()),
        _ => {
            let (group, version) = version.split_once('/').unwrap_or(("", version));
            let why = format!("cannot bind token to object of type {group}/{version}, Kind={kind}");
            return Err(Failure::bad_request(why));
        }
    };
    let of = GroupResource { group: "", kind: resource.trim_start_matches('/') };
    let stored = store.get(resource, &key).ok_or_else(|| Failure::not_found(of, name))?;
    let object = stored.object();
    let runs_as = object.pointer("/spec/serviceAccountName").and_then(Value::as_str);
    if kind == "Pod" && runs_as != Some(account) {
        return Err(Failure::bad_request(format!(
            "cannot bind token for serviceaccount {account:?} to pod running with different serviceaccount name."
        )));
    }
    let (uid, wanted) = (metadata::text(&object, "uid"), text("uid"));
    if !wanted.is_empty() && wanted != uid {
        let why = format!(
            "the UID in the bound object reference ({wanted}) does not match the UID in record. The object might have \
             been deleted and then recreated"
        );
        return Err(Failure::conflict(GroupResource { group: "", kind }, name, &why));
    }
    Ok(Some((kind.to_lowercase(), json!({"name": name, "uid": uid}))))
}

/// Sets the defaults of a request, and returns its spec.
fn complete(request: &mut Value) -> Value {
    let Value::Object(map) = request else { return Value::Null };
    map.remove("status");
    let spec = map.entry("spec").or_insert_with(|| Value::Object(Map::new()));
    if fields::list(spec, "audiences").next().is_none() {
        spec["audiences"] = json!([AUDIENCE]);
    }
    if spec.get("expirationSeconds").is_none_or(Value::is_null) {
        spec["expirationSeconds"] = DEFAULT_SECONDS.into();
    }
    if spec.get("boundObjectRef").is_none() {
        spec["boundObjectRef"] = Value::Null;
    }
    spec.clone()
}
