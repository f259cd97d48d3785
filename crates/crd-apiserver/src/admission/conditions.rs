//! Match conditions of webhooks: CEL expressions that decide whether a webhook is called.
//!
//! Source: `pkg/admission/plugin/webhook/matchconditions` and `pkg/admission/plugin/cel` of k8s.io/apiserver.

use crd_cel::domain::authorization::Resource;
use crd_cel::kubernetes::Environment;
use crd_cel::plan::Program;
use crd_cel::value::Value as Cel;
use serde_json::Value;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::ServedKind;
use super::{AdmissionWebhook, Attributes, review};
use crd_engine::match_condition::{self, AUTHORIZER, NAMESPACE_OBJECT, REQUEST_RESOURCE};

/// The limit of the CEL cost of all conditions of a webhook together.
/// Source: `RuntimeCELCostBudgetMatchConditions`.
const BUDGET: u64 = 2_500_000;
/// The limit of the CEL cost of a single condition. Source: `PerCallLimit`.
const PER_CALL: u64 = 1_000_000;
/// The error if the conditions exceed their common cost limit.
const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

impl Core {
    /// Returns whether all match conditions of a webhook are true. Source: `matcher.Match`.
    ///
    /// # Errors
    /// Status 403 if the conditions cannot be evaluated and the failure policy of the webhook is not `Ignore`; or the
    /// failure of the conversion of an object to the version that the webhook receives.
    pub(super) fn meets_conditions(
        &self,
        hook: &AdmissionWebhook,
        attributes: &Attributes,
        sent_as: &ServedKind,
    ) -> Answer<bool> {
        let conditions = hook.value.get("matchConditions").and_then(Value::as_array);
        let Some(conditions) = conditions.filter(|conditions| !conditions.is_empty()) else {
            return Ok(true);
        };
        let versioned = Self::as_sent(attributes, sent_as)?;
        match self.evaluated(conditions, &versioned, sent_as) {
            Ok(holds) => Ok(holds),
            Err(_) if hook.fails_open() => Ok(false),
            Err(why) => {
                let name = &attributes.name;
                Err(Failure::forbidden(attributes.resource(), name, &why))
            }
        }
    }

    /// Returns whether all match conditions are true for a write.
    ///
    /// # Errors
    /// If no condition is false: the errors of those that cannot be compiled or evaluated. [`OUT_OF_BUDGET`] if the
    /// conditions together cost more than [`BUDGET`].
    fn evaluated(
        &self,
        conditions: &[Value],
        attributes: &Attributes,
        sent_as: &ServedKind,
    ) -> Result<bool, String> {
        let request = Value::Object(review::request(attributes, sent_as));
        let null = Value::Null;
        let authorizer = self.authorizer_of(&attributes.user);
        let variables = [
            ("object", Cel::undeclared(attributes.object.as_ref().unwrap_or(&null))),
            ("oldObject", Cel::undeclared(attributes.old.as_ref().unwrap_or(&null))),
            ("request", Cel::undeclared(&request)),
            (NAMESPACE_OBJECT, Cel::undeclared(&null)),
            (AUTHORIZER, Cel::authorizer(&authorizer)),
            (REQUEST_RESOURCE, Cel::resource_check(&authorizer, request_resource(attributes))),
        ];
        let env = match_condition::environment(Environment::stored(self.kubernetes));
        let mut budget = BUDGET;
        let mut errors = Vec::new();
        let mut is_false = false;
        for condition in conditions {
            let expression =
                condition.get("expression").and_then(Value::as_str).unwrap_or_default();
            let compiled = match_condition::compile(&env, expression).and_then(|checked| {
                Program::plan(&checked, &env)
                    .map_err(|error| format!("program instantiation failed: {error}"))
            });
            let program = match compiled {
                Ok(program) => program,
                Err(why) => {
                    errors.push(format!("compilation error: {why}"));
                    continue;
                }
            };
            let outcome = program.eval(&variables, PER_CALL);
            budget = budget.checked_sub(outcome.cost).ok_or(OUT_OF_BUDGET)?;
            match outcome.result {
                Ok(Cel::Bool(true)) => {}
                Ok(_) => is_false = true,
                Err(error) => {
                    errors.push(format!("expression '{expression}' resulted in error: {error}"));
                }
            }
        }
        match errors.as_slice() {
            // A single false condition decides, whatever the others evaluate to.
            _ if is_false => Ok(false),
            [] => Ok(true),
            [only] => Err(only.clone()),
            many => Err(format!("[{}]", many.join(", "))),
        }
    }
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
