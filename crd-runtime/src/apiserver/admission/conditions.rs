//! Match conditions of webhooks: CEL expressions that decide whether a webhook is called.
//!
//! The variable `authorizer` has no value: a condition that reads it fails.
//!
//! Source: `pkg/admission/plugin/webhook/matchconditions` and `pkg/admission/plugin/cel` of k8s.io/apiserver.

use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::plan::Program;
use crd_cel::value::Value as Cel;
use serde_json::Value;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::kind::ServedKind;
use super::super::match_condition;
use super::{AdmissionWebhook, Attributes, review};

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
        invoked: &ServedKind,
    ) -> Answer<bool> {
        let conditions = hook.value.get("matchConditions").and_then(Value::as_array);
        let Some(conditions) = conditions.filter(|conditions| !conditions.is_empty()) else {
            return Ok(true);
        };
        let versioned = Self::as_invoked(attributes, invoked)?;
        match evaluated(conditions, &versioned, invoked, self.kubernetes) {
            Ok(holds) => Ok(holds),
            Err(_) if hook.fails_open() => Ok(false),
            Err(why) => {
                let name = &attributes.name;
                Err(Failure::forbidden(attributes.resource(), name, &why))
            }
        }
    }
}

/// Returns whether all match conditions are true for a write.
///
/// # Errors
/// If no condition is false: the errors of those that cannot be compiled or evaluated. [`OUT_OF_BUDGET`] if the
/// conditions together cost more than [`BUDGET`].
fn evaluated(
    conditions: &[Value],
    attributes: &Attributes,
    invoked: &ServedKind,
    kubernetes: KubernetesVersion,
) -> Result<bool, String> {
    let request = Value::Object(review::request(attributes, invoked));
    let null = Value::Null;
    let variables = [
        ("object", attributes.object.as_ref().unwrap_or(&null)),
        ("oldObject", attributes.old.as_ref().unwrap_or(&null)),
        ("request", &request),
    ];
    let env = match_condition::environment(Environment::stored(kubernetes));
    let mut budget = BUDGET;
    let mut errors = Vec::new();
    for condition in conditions {
        let expression = condition.get("expression").and_then(Value::as_str).unwrap_or_default();
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
        let bound: Vec<(&str, Cel<'_>)> =
            variables.iter().map(|(name, value)| (*name, Cel::undeclared(value))).collect();
        let outcome = program.eval(&bound, PER_CALL);
        budget = budget.checked_sub(outcome.cost).ok_or(OUT_OF_BUDGET)?;
        match outcome.result {
            Ok(Cel::Bool(true)) => {}
            // A single false condition decides, whatever the others evaluate to.
            Ok(_) => return Ok(false),
            Err(error) => {
                errors.push(format!("expression '{expression}' resulted in error: {error}"));
            }
        }
    }
    match errors.as_slice() {
        [] => Ok(true),
        [only] => Err(only.clone()),
        many => Err(format!("[{}]", many.join(", "))),
    }
}
