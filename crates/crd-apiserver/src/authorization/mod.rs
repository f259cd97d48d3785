//! RBAC authorization by the stored roles and bindings.
//!
//! Source: `plugin/pkg/auth/authorizer/rbac` of kubernetes/kubernetes, and `pkg/endpoints/filters` of k8s.io/apiserver.

mod attributes;
mod bindings;
mod escalation;
mod expressions;
mod impersonation;
mod policy;
mod reviews;
mod rules;
mod tokens;

use std::sync::Arc;

use http::Request;

use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, GroupResource};
use super::target::RequestTarget;
use super::user::User;
use crate::differences::Difference;

pub(super) use attributes::AuthorizerAttributes;
pub(super) use escalation::check_escalation;
pub(super) use expressions::ExpressionAuthorizer;
pub(super) use policy::default_objects;
pub(super) use reviews::{REVIEWS, Review, review};
use rules::RoleRule;

/// The API group of roles and bindings.
pub(super) const GROUP: &str = "rbac.authorization.k8s.io";

/// Whether an action is allowed, and for what reason.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decision {
    allowed: bool,
    /// The binding that allows the action, or the errors of roles that cannot be resolved; may be empty.
    reason: String,
}

/// Decides whether a user may perform an action. Source: `RBACAuthorizer.Authorize`.
fn decide(core: &Core, attributes: &AuthorizerAttributes) -> Decision {
    if !core.authorizes || attributes.user.is_master() {
        return Decision { allowed: true, reason: String::new() };
    }
    let found = bindings::granted(&core.store, &attributes.user, &attributes.namespace);
    let allows = |(_, rule): &&(String, RoleRule)| rule.allows(attributes);
    if let Some((source, _)) = found.rules.iter().find(allows) {
        return Decision { allowed: true, reason: format!("RBAC: allowed by {source}") };
    }
    let reason = match found.errors.as_slice() {
        [] => return Decision { allowed: false, reason: String::new() },
        [only] => format!("RBAC: {only}"),
        many => format!("RBAC: [{}]", many.join(", ")),
    };
    // Source: `unionAuthzHandler.Authorize`.
    let is_named = Difference::NamedAuthorizers.is_in(core.catalog.kubernetes);
    let reason = if is_named { format!("rbac: {reason}") } else { reason };
    Decision { allowed: false, reason }
}

/// Checks that the user of an update may create the object, which does not exist yet.
///
/// # Errors
/// Status 403 if the user may not create it.
pub(super) fn authorize_creation(core: &Core, call: &Call<'_>) -> Answer<()> {
    let mut attributes = AuthorizerAttributes::of(call.path, call.request, &call.user);
    "create".clone_into(&mut attributes.verb);
    authorized(core, &attributes)
}

/// Returns the user of a request, who may make it.
///
/// # Errors
/// Status 403 if the user may not make it, and the errors of [`impersonation::user`].
pub(super) fn authorize(
    core: &Core,
    target: &RequestTarget,
    request: &Request<Vec<u8>>,
) -> Answer<Arc<User>> {
    let user = impersonation::user(core, request)?;
    if core.authorizes {
        authorized(
            core,
            &match target {
                RequestTarget::Resource(path) => AuthorizerAttributes::of(path, request, &user),
                RequestTarget::Path(_) => AuthorizerAttributes::of_path(request, &user),
            },
        )?;
    }
    Ok(user)
}

/// Checks that a user may perform an action.
///
/// # Errors
/// Status 403 if the user may not perform it.
fn authorized(core: &Core, attributes: &AuthorizerAttributes) -> Answer<()> {
    let Decision { allowed, reason } = decide(core, attributes);
    if allowed {
        return Ok(());
    }
    let mut why = attributes.forbidden_message();
    if !reason.is_empty() {
        why = format!("{why}: {reason}");
    }
    let of = GroupResource { group: &attributes.group, kind: &attributes.resource };
    Err(Failure::forbidden(of, &attributes.name, &why))
}
