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

use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, GroupResource};

pub(super) use attributes::AuthorizerAttributes;
pub(super) use expressions::ExpressionAuthorizer;
pub(super) use policy::default_objects;
pub(super) use reviews::{REVIEWS, Review};
use rules::RoleRule;

/// The API group of roles and bindings.
pub(super) const GROUP: &str = "rbac.authorization.k8s.io";
/// The first minor whose reasons for a rejection begin with the name of the authorizer.
/// Source: `unionAuthzHandler.Authorize`.
const NAMED_REASONS: u32 = 37;

/// Whether an action is allowed, and for what reason.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decision {
    allowed: bool,
    /// The binding that allows the action, or the errors of roles that cannot be resolved; may be empty.
    reason: String,
}

impl Core {
    /// Decides whether a user may perform an action. Source: `RBACAuthorizer.Authorize`.
    fn decide(&self, attributes: &AuthorizerAttributes) -> Decision {
        if !self.authorizes || attributes.user.is_master() {
            return Decision { allowed: true, reason: String::new() };
        }
        let found = self.granted(&attributes.user, &attributes.namespace);
        let allows = |(_, rule): &&(String, RoleRule)| rule.allows(attributes);
        if let Some((source, _)) = found.rules.iter().find(allows) {
            return Decision { allowed: true, reason: format!("RBAC: allowed by {source}") };
        }
        let reason = match found.errors.as_slice() {
            [] => return Decision { allowed: false, reason: String::new() },
            [only] => format!("RBAC: {only}"),
            many => format!("RBAC: [{}]", many.join(", ")),
        };
        let is_named = self.kubernetes.minor() >= NAMED_REASONS;
        let reason = if is_named { format!("rbac: {reason}") } else { reason };
        Decision { allowed: false, reason }
    }

    /// Checks that the user of an update may create the object, which does not exist yet.
    ///
    /// # Errors
    /// Status 403 if the user may not create it.
    pub(super) fn authorize_creation(&self, call: &Call<'_>) -> Answer<()> {
        let mut attributes = AuthorizerAttributes::of(call.path, call.request, &call.user);
        "create".clone_into(&mut attributes.verb);
        self.authorized(&attributes)
    }

    /// Checks that a user may perform an action.
    ///
    /// # Errors
    /// Status 403 if the user may not perform it.
    pub(super) fn authorized(&self, attributes: &AuthorizerAttributes) -> Answer<()> {
        let Decision { allowed, reason } = self.decide(attributes);
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
}
