//! Validating admission policies: which of them apply to a write, and what they decide.
//!
//! Source: `pkg/admission/plugin/policy/validating/dispatcher.go` and `validator.go` of k8s.io/apiserver.

use std::sync::Arc;

use crd_cel::value::Value as Cel;
use crd_engine::match_condition::{
    AUTHORIZER, NAMESPACE_OBJECT, PARAMS, REQUEST_RESOURCE, declared_namespace,
};
use http::StatusCode;
use serde_json::Value;

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::fields;
use super::super::kind::ServedKind;
use super::super::policy::{Policy, VALIDATING_BINDINGS, VALIDATING_POLICIES, Validation};
use super::super::store::Store;
use super::Attributes;
use super::bindings::{self, is_exempt};
use super::conditions::{Seen, of_json};
use super::evaluation::{Scope, VALIDATIONS, names_of, variables_as};
use super::params::{Configured, reason};

/// The maximum size of the value of a message expression, in bytes. Source: `MaxEvaluatedMessageExpressionSizeBytes`.
const MAX_MESSAGE_BYTES: usize = 5 * 1024;

/// What a binding decides about a write.
#[derive(Debug)]
struct Denial {
    message: String,
    /// The reason of a validation; empty for that of an invalid object.
    reason: String,
    /// Whether the actions of the binding apply to it. An error of an audit annotation always denies.
    is_validation: bool,
}

impl Denial {
    fn of(message: impl Into<String>) -> Self {
        Self { message: message.into(), reason: String::new(), is_validation: true }
    }
}

/// A policy, the binding if it could be evaluated, and the denial.
type Denied = (String, Option<String>, Denial);

/// Returns whether a policy is bound.
pub(super) fn has_policies(store: &Store) -> bool {
    store.list(VALIDATING_BINDINGS, "").next().is_some()
}

/// Checks a write by the validating policies.
///
/// Upstream evaluates policies in any order. Here it is that of their names.
///
/// # Errors
/// The failure of the first policy that denies the write.
pub(super) fn check_policies(
    core: &Core,
    attributes: &Attributes,
    warnings: &mut Vec<String>,
) -> Answer<()> {
    if is_exempt(&attributes.kind) {
        return Ok(());
    }
    let mut denied: Vec<Denied> = Vec::new();
    for (policy, bindings) in
        bindings::bound_policies(core, VALIDATING_POLICIES, VALIDATING_BINDINGS)
    {
        check_policy(core, &policy, &bindings, attributes, warnings, &mut denied)?;
    }
    match denied.into_iter().next() {
        None => Ok(()),
        Some(denied) => Err(failure_of(denied, attributes)),
    }
}

fn check_policy(
    core: &Core,
    policy: &Policy,
    bindings: &[Arc<Value>],
    attributes: &Attributes,
    warnings: &mut Vec<String>,
    denied: &mut Vec<Denied>,
) -> Answer<()> {
    let misconfigured = |binding: Option<&str>, why: String, denied: &mut Vec<Denied>| {
        let what = if binding.is_some() { "binding" } else { "policy" };
        let denial = Denial::of(format!("failed to configure {what}: {why}"));
        if !policy.fails_open() {
            denied.push((policy.name.clone(), binding.map(str::to_owned), denial));
        }
    };
    let matched = bindings::matched_policy(core, policy, attributes)?;
    let (sent_as, param_kind) = match matched {
        Ok(None) => return Ok(()),
        Ok(Some(matched)) => matched,
        Err(why) => {
            misconfigured(None, why, denied);
            return Ok(());
        }
    };
    let mut subject = None;
    for binding in bindings {
        let name = super::super::metadata::text(binding, "name");
        let kinds = (&sent_as, param_kind.as_ref());
        let denials = match decided(core, policy, binding, kinds, attributes, &mut subject)? {
            Ok(denials) => denials,
            Err(why) => {
                misconfigured(Some(name), why, denied);
                continue;
            }
        };
        let actions = binding.get("spec").map(|it| fields::texts(it, "validationActions"));
        let actions = actions.unwrap_or_default();
        let acts = |action: &str| actions.iter().any(|it| it == action);
        for denial in denials {
            if denial.is_validation && acts("Warn") {
                warnings.push(format!(
                    "Validation failed for ValidatingAdmissionPolicy '{}' with binding '{name}': {}",
                    policy.name, denial.message
                ));
            }
            if !denial.is_validation || acts("Deny") {
                denied.push((policy.name.clone(), Some(name.to_owned()), denial));
            }
        }
    }
    Ok(())
}

/// What a policy sees of a write, whatever the binding: the write, and its namespace.
type Subject<'c> = (Seen<'c>, Option<Value>);

/// Returns the denials of a write by a policy with a binding, or the reason why the binding cannot be used. The first
/// binding that selects the write sets the `subject`.
fn decided<'c>(
    core: &'c Core,
    policy: &Policy,
    binding: &Value,
    (sent_as, param_kind): (&Arc<ServedKind>, Option<&Arc<ServedKind>>),
    attributes: &Attributes,
    subject: &mut Option<Subject<'c>>,
) -> Configured<Vec<Denial>> {
    let params = match bindings::params_of_binding(core, param_kind, binding, attributes)? {
        Ok(params) => params,
        Err(why) => return Ok(Err(why)),
    };
    if params.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let (seen, namespace) = if let Some(subject) = subject {
        subject
    } else {
        let sent = match reason(core, attributes.as_sent(sent_as))? {
            Ok(sent) => sent,
            Err(why) => return Ok(Err(format!("failed to convert object version: {why}"))),
        };
        let namespace = bindings::namespace_seen(&core.store, attributes)?;
        subject.insert((Seen::of(core, sent, sent_as), namespace))
    };
    let names = names_of(&policy.variables);
    let mut denials = Vec::new();
    for params in &params {
        let mut bound = seen.bound();
        bound.push((PARAMS, of_json(params.as_ref())));
        let declared = namespace.as_ref().map(|it| Cel::declared(it, declared_namespace()));
        bound.push((NAMESPACE_OBJECT, declared.and_then(Result::ok).unwrap_or(Cel::Null)));
        bound.push(variables_as(&names));
        denials.extend(denials_of(policy, &Scope::new(bound, &policy.variables)));
    }
    Ok(Ok(denials))
}

/// Evaluates a policy. Source: `validator.Validate`.
fn denials_of<'v>(policy: &'v Policy, scope: &Scope<'v>) -> Vec<Denial> {
    let error = |why: String| if policy.fails_open() { Vec::new() } else { vec![Denial::of(why)] };
    if !policy.conditions.is_empty() {
        match scope.holds(&policy.conditions) {
            Ok(true) => {}
            Ok(false) => return Vec::new(),
            Err(why) => return error(why),
        }
    }
    let expressions = policy.validations.iter().map(|it| Some(&it.expression));
    let (results, budget) = match scope.evaluate(expressions, VALIDATIONS) {
        Ok(evaluated) => evaluated,
        Err(why) => return error(why),
    };
    let messages = policy.validations.iter().map(|it| it.message_expression.as_ref());
    let messages =
        scope.without(&[AUTHORIZER, REQUEST_RESOURCE]).evaluate(messages, budget).map(|it| it.0);
    let mut denials = Vec::new();
    for (index, (validation, result)) in policy.validations.iter().zip(results).enumerate() {
        let message = match (result, &messages) {
            (Some(Err(why)), _) => {
                denials.extend(error(why));
                continue;
            }
            (_, Err(why)) => {
                denials.extend(error(format!("failed messageExpression: {why}")));
                continue;
            }
            (Some(Ok(Cel::Bool(true))), _) => continue,
            (_, Ok(messages)) => messages.get(index).and_then(Option::as_ref),
        };
        denials.push(Denial {
            message: message_of(validation, message),
            reason: validation.reason.clone(),
            is_validation: true,
        });
    }
    denials.extend(errors_of_annotations(policy, scope));
    denials
}

/// Returns the message of a validation that denies a write.
fn message_of(validation: &Validation, evaluated: Option<&Result<Cel<'_>, String>>) -> String {
    let evaluated = evaluated.and_then(|it| it.as_ref().ok()?.as_str()).map(str::trim);
    let is_usable = |text: &&str| text.len() <= MAX_MESSAGE_BYTES && !text.contains('\n');
    let text = evaluated.filter(is_usable).filter(|text| !text.is_empty());
    let text = text.or(Some(validation.message.as_str()).filter(|text| !text.is_empty()));
    text.map_or_else(
        || format!("failed expression: {}", validation.expression.text.trim()),
        str::to_owned,
    )
}

/// Returns the errors of audit annotations. Their values are not recorded: the server has no audit log.
fn errors_of_annotations<'v>(policy: &'v Policy, scope: &Scope<'v>) -> Vec<Denial> {
    let annotations = &policy.audit_annotations;
    let evaluated = scope.evaluate(annotations.iter().map(Some), VALIDATIONS);
    let results = match evaluated {
        Ok((results, _)) => results,
        Err(_) if policy.fails_open() => return Vec::new(),
        Err(why) => return vec![Denial::of(why)],
    };
    let errors = annotations.iter().zip(results).filter_map(|(annotation, result)| {
        match result? {
            Err(why) => (!policy.fails_open()).then_some(why),
            Ok(Cel::String(_) | Cel::Null) => None,
            Ok(other) => Some(format!(
                "valueExpression '{}' resulted in unsupported return type: {}. Return type must be either string or null.",
                annotation.text,
                other.type_name()
            )),
        }
    });
    errors.map(|why| Denial { is_validation: false, ..Denial::of(why) }).collect()
}

/// Returns the failure that the client gets. Source: `Dispatch` and `reasonToCode`.
fn failure_of((policy, binding, denial): Denied, attributes: &Attributes) -> Failure {
    let by = binding.map(|binding| format!(" with binding '{binding}'")).unwrap_or_default();
    let why =
        format!("ValidatingAdmissionPolicy '{policy}'{by} denied request: {}", denial.message);
    let name = attributes.shown_name();
    let (code, reason) = match denial.reason.as_str() {
        "Forbidden" => (StatusCode::FORBIDDEN, "Forbidden"),
        "Unauthorized" => (StatusCode::UNAUTHORIZED, "Unauthorized"),
        "RequestEntityTooLarge" => (StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge"),
        _ => (StatusCode::UNPROCESSABLE_ENTITY, "Invalid"),
    };
    Failure::forbidden(attributes.resource(), &name, &why).with_policy(code, reason, &why)
}
