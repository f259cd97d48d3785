//! Impersonation of other users.
//!
//! Source: `pkg/endpoints/filters/impersonation` of k8s.io/apiserver, without constrained impersonation, whose
//! permissions are limited to some actions of the impersonated user.

use std::sync::Arc;

use http::Request;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::user::User;
use super::{AuthorizerAttributes, authorized, tokens};

/// Returns the user of a request: its sender, or the user that the sender impersonates.
///
/// # Errors
/// Status 403 if the sender may not impersonate that user, and 400 if impersonation headers name no user.
pub(super) fn user(core: &Core, request: &Request<Vec<u8>>) -> Answer<Arc<User>> {
    let sender = tokens::token_user(core, request).map_or_else(|| User::of(request), Arc::new);
    let wanted = User::impersonated(request);
    let Some(wanted) = wanted.map_err(Failure::bad_request)? else {
        return Ok(sender);
    };
    let attributes = |group: &str, resource: &str, name: &str| AuthorizerAttributes {
        verb: "impersonate".to_owned(),
        group: group.to_owned(),
        resource: resource.to_owned(),
        name: name.to_owned(),
        ..AuthorizerAttributes::only_user(&sender)
    };
    match wanted.account() {
        Some((namespace, name)) => {
            let namespace = namespace.to_owned();
            authorized(
                core,
                &AuthorizerAttributes { namespace, ..attributes("", "serviceaccounts", name) },
            )?;
        }
        None => authorized(core, &attributes("", "users", &wanted.name))?,
    }
    for value in request.headers().get_all("impersonate-group") {
        let group = value.to_str().unwrap_or_default();
        authorized(core, &attributes("", "groups", group))?;
    }
    for (key, values) in &wanted.extra {
        for value in values {
            let subresource = key.clone();
            let extra = attributes("authentication.k8s.io", "userextras", value);
            authorized(core, &AuthorizerAttributes { subresource, ..extra })?;
        }
    }
    if !wanted.uid.is_empty() {
        authorized(core, &attributes("authentication.k8s.io", "uids", &wanted.uid))?;
    }
    Ok(Arc::new(wanted))
}
