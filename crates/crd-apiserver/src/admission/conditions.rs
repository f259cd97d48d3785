//! Match conditions of webhooks: CEL expressions that decide whether a webhook is called; and what expressions see of a
//! write.
//!
//! Source: `pkg/admission/plugin/webhook/matchconditions` and `pkg/admission/plugin/cel` of k8s.io/apiserver.

use crd_cel::domain::authorization::Resource;
use crd_cel::value::Value as Cel;
use crd_engine::match_condition::{AUTHORIZER, NAMESPACE_OBJECT, REQUEST_RESOURCE};
use serde_json::Value;

use super::super::authorization::ExpressionAuthorizer;
use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::ServedKind;
use super::evaluation::Scope;
use super::{AdmissionWebhook, Attributes, review};

/// What expressions see of a write, as JSON.
#[derive(Debug)]
pub(super) struct Seen<'c> {
    attributes: Attributes,
    request: Value,
    authorizer: ExpressionAuthorizer<'c>,
}

impl<'c> Seen<'c> {
    /// `attributes` have the objects in the version of `sent_as`.
    pub(super) fn of(core: &'c Core, attributes: Attributes, sent_as: &ServedKind) -> Self {
        let request = Value::Object(review::request(&attributes, sent_as));
        let authorizer = ExpressionAuthorizer { core, user: attributes.user.clone() };
        Self { attributes, request, authorizer }
    }

    /// Returns the variables of CEL that all expressions may use, except for that of the namespace.
    pub(super) fn bound(&self) -> Vec<(&str, Cel<'_>)> {
        let authorizer = &self.authorizer;
        vec![
            ("object", of_json(self.attributes.object.as_ref())),
            ("oldObject", of_json(self.attributes.old.as_ref())),
            ("request", Cel::undeclared(&self.request)),
            (AUTHORIZER, Cel::authorizer(authorizer)),
            (REQUEST_RESOURCE, Cel::resource_check(authorizer, request_resource(&self.attributes))),
        ]
    }
}

/// Returns whether all match conditions of a webhook are true. Source: `matcher.Match`.
///
/// `sent` has the objects in the version of `sent_as`.
///
/// # Errors
/// Status 403 if the conditions cannot be evaluated and the failure policy of the webhook is not `Ignore`.
pub(super) fn meets_conditions(
    core: &Core,
    hook: &AdmissionWebhook,
    sent: &Attributes,
    sent_as: &ServedKind,
) -> Answer<bool> {
    if hook.conditions.is_empty() {
        return Ok(true);
    }
    let seen = Seen::of(core, sent.clone(), sent_as);
    let mut bound = seen.bound();
    bound.push((NAMESPACE_OBJECT, Cel::Null));
    match Scope::new(bound, &[]).holds(&hook.conditions) {
        Ok(holds) => Ok(holds),
        Err(_) if hook.fails_open() => Ok(false),
        Err(why) => Err(Failure::forbidden(sent.resource(), &sent.name, &why)),
    }
}

/// Returns the value of JSON, or null if there is none.
pub(super) fn of_json(json: Option<&Value>) -> Cel<'_> {
    json.map_or(Cel::Null, Cel::undeclared)
}

/// Returns the resource that the client writes, for checks by the authorizer. Source: `NewResourceAuthorizerVal`.
fn request_resource(attributes: &Attributes) -> Resource {
    let kind = &attributes.kind;
    let mut resource = Resource::default();
    resource.group = kind.group.as_str().into();
    resource.resource = kind.names.plural.as_str().into();
    resource.subresource = attributes.subresource.as_str().into();
    resource.namespace = attributes.namespace.as_str().into();
    resource.name = attributes.name.as_str().into();
    resource
}
