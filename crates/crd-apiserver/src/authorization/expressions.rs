//! The authorizer of CEL expressions: the variable `authorizer`.
//!
//! Source: `pkg/cel/library/authz.go` of k8s.io/apiserver.

use std::sync::Arc;

use crd_cel::domain::authorization::{Action, Authorizer, Decision, Target};

use super::super::core::Core;
use super::super::user::User;
use super::{AuthorizerAttributes, decide};

/// The authorizer of the expressions that are evaluated for a request.
#[derive(Debug)]
pub(in super::super) struct ExpressionAuthorizer<'c> {
    pub(in super::super) core: &'c Core,
    /// The user of the request.
    pub(in super::super) user: Arc<User>,
}

impl Authorizer for ExpressionAuthorizer<'_> {
    fn authorize(&self, action: &Action<'_>) -> Decision {
        let account = action
            .service_account
            .map(|(namespace, name)| User::absent_service_account(namespace, name));
        let mut attributes =
            AuthorizerAttributes::only_user(account.as_ref().unwrap_or(&self.user));
        action.verb.clone_into(&mut attributes.verb);
        match action.target {
            Target::Path(path) => path.clone_into(&mut attributes.path),
            // Roles do not depend on selectors.
            Target::Resource(resource) => {
                for (field, text) in [
                    (&mut attributes.group, &resource.group),
                    (&mut attributes.resource, &resource.resource),
                    (&mut attributes.subresource, &resource.subresource),
                    (&mut attributes.namespace, &resource.namespace),
                    (&mut attributes.name, &resource.name),
                ] {
                    (**text).clone_into(field);
                }
            }
            _ => {}
        }
        let decided = decide(self.core, &attributes);
        if decided.allowed {
            Decision::allow(decided.reason)
        } else {
            Decision::no_opinion(decided.reason)
        }
    }
}
