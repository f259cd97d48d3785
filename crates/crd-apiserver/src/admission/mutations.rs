//! Mutating admission policies: which of them apply to a write, and how they change its object.
//!
//! Source: `pkg/admission/plugin/policy/mutating` of k8s.io/apiserver.

use std::collections::BTreeSet;
use std::sync::Arc;

use crd_cel::value::Value as Cel;
use crd_engine::match_condition::{NAMESPACE_OBJECT, PARAMS, declared_namespace};
use serde_json::{Map, Value};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::json_patch::JsonPatch;
use super::super::kind::ServedKind;
use super::super::policy::{MUTATING_BINDINGS, MUTATING_POLICIES, Mutation, Policy};
use super::super::store::Store;
use super::super::{metadata, ownership};
use super::bindings::{self, is_exempt};
use super::conditions::{Seen, of_json};
use super::evaluation::{Scope, VALIDATIONS, names_of, variables_as};
use super::params::{Configured, reason};
use super::{AdmissionOperation, Attributes, internal};
use crate::admit::FieldValidation;
use crd_cel::kubernetes::KubernetesVersion;

/// A policy, the name of its binding, and those of the parameters and their namespace.
type Key = (String, String, Option<(String, String)>);

/// The policies that may have to be evaluated a second time.
#[derive(Debug, Default)]
pub(super) struct PolicyReinvocation {
    /// Those with the reinvocation policy `IfNeeded` that have been evaluated.
    may: BTreeSet<Key>,
    /// Those for which the object has changed since they were evaluated.
    must: BTreeSet<Key>,
    /// The object after all policies.
    last: Option<Value>,
}

impl PolicyReinvocation {
    /// Lets the policies that may be evaluated again be evaluated again, because the object has changed.
    fn require(&mut self) {
        self.must.append(&mut self.may);
    }
}

/// An evaluation of a policy.
struct Invocation {
    policy: Arc<Policy>,
    binding: String,
    sent_as: Arc<ServedKind>,
    params: Option<Value>,
}

impl Invocation {
    fn key(&self) -> Key {
        let text = |params: &Value, key| metadata::text(params, key).to_owned();
        let params = self.params.as_ref().map(|it| (text(it, "namespace"), text(it, "name")));
        (self.policy.name.clone(), self.binding.clone(), params)
    }
}

/// The errors of policies that reject the write.
#[derive(Debug, Default)]
struct Errors {
    messages: Vec<String>,
    /// Whether the first error is one of the evaluation, not of the configuration.
    is_invalid: bool,
}

impl Errors {
    /// Source: `PolicyError.Error`.
    fn add(&mut self, policy: &Policy, binding: Option<&str>, why: &str, is_invalid: bool) {
        if policy.fails_open() {
            return;
        }
        if self.messages.is_empty() {
            self.is_invalid = is_invalid;
        }
        let policy = &policy.name;
        let by = match binding {
            Some(binding) => format!("policy '{policy}' with binding '{binding}'"),
            None => format!("policy {policy:?}"),
        };
        self.messages.push(format!("{by} denied request: {why}"));
    }
}

/// Changes the object of a write by the mutating policies, and returns whether they have changed it. `is_second`
/// evaluates only those that have to be evaluated again.
///
/// # Errors
/// Returns the failure of the policies that cannot be evaluated and do not fail open.
pub(super) fn mutate_by_policies(
    core: &Core,
    attributes: &mut Attributes,
    again: &mut PolicyReinvocation,
    is_second: bool,
) -> Answer<bool> {
    let is_deletion = attributes.operation == AdmissionOperation::Delete;
    if is_deletion || !has_mutating_policies(&core.store) || is_exempt(&attributes.kind) {
        return Ok(false);
    }
    let mut errors = Errors::default();
    let invocations = invocations(core, attributes, &mut errors)?;
    let mut is_changed = false;
    if !invocations.is_empty() {
        if is_second && again.last != attributes.object {
            again.require();
        }
        let namespace = bindings::namespace_seen(&core.store, attributes)?;
        let mut is_applied = false;
        for invocation in &invocations {
            let namespace = namespace.as_ref();
            is_applied |=
                invoke(core, invocation, namespace, attributes, again, is_second, &mut errors)?;
        }
        if is_applied {
            // Upstream: those that have changed the object last, and even those that have not changed it.
            again.require();
            is_changed = true;
        }
        again.last.clone_from(&attributes.object);
    }
    if errors.messages.is_empty() {
        return Ok(is_changed);
    }
    let name = attributes.shown_name();
    let failure = Failure::forbidden(attributes.resource(), &name, "");
    let reason = if errors.is_invalid { "Invalid" } else { "Forbidden" };
    Err(failure.with_mutating_policies(reason, &errors.messages))
}

/// Returns whether a mutating policy is bound.
pub(super) fn has_mutating_policies(store: &Store) -> bool {
    store.list(MUTATING_BINDINGS, "").next().is_some()
}

/// Returns the evaluations for a write.
fn invocations(
    core: &Core,
    attributes: &Attributes,
    errors: &mut Errors,
) -> Answer<Vec<Invocation>> {
    let mut invocations = Vec::new();
    for (policy, bindings) in bindings::bound_policies(core, MUTATING_POLICIES, MUTATING_BINDINGS) {
        let (sent_as, param_kind) = match bindings::matched_policy(core, &policy, attributes)? {
            Ok(Some(matched)) => matched,
            Ok(None) => continue,
            Err(why) => {
                let why = format!("failed to configure policy: {why}");
                errors.add(&policy, None, &why, false);
                continue;
            }
        };
        for binding in &bindings {
            let name = metadata::text(binding, "name").to_owned();
            match bindings::params_of_binding(core, param_kind.as_ref(), binding, attributes)? {
                Err(why) => {
                    let why = format!("failed to configure binding: {why}");
                    errors.add(&policy, Some(&name), &why, false);
                }
                Ok(params) => invocations.extend(params.into_iter().map(|params| Invocation {
                    policy: Arc::clone(&policy),
                    binding: name.clone(),
                    sent_as: Arc::clone(&sent_as),
                    params,
                })),
            }
        }
    }
    Ok(invocations)
}

/// Evaluates a policy, and returns whether a mutation has been applied. Source: `dispatchInvocations`.
fn invoke(
    core: &Core,
    invocation: &Invocation,
    namespace: Option<&Value>,
    attributes: &mut Attributes,
    again: &mut PolicyReinvocation,
    is_second: bool,
    errors: &mut Errors,
) -> Answer<bool> {
    let Invocation { policy, binding, sent_as, params } = invocation;
    let mut sent = match reason(core, attributes.as_sent(sent_as))? {
        Ok(sent) => sent,
        Err(why) => {
            errors.add(policy, None, &format!("failed to configure policy: {why}"), false);
            return Ok(false);
        }
    };
    let names = names_of(&policy.variables);
    if !policy.conditions.is_empty() {
        let seen = Seen::of(core, sent.clone(), sent_as);
        let scope = scope_of(&seen, policy, params.as_ref(), namespace, &names);
        match scope.holds(&policy.conditions) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => {
                errors.add(policy, Some(binding), &why, true);
                return Ok(false);
            }
        }
    }
    let key = invocation.key();
    if is_second && !again.must.contains(&key) {
        return Ok(false);
    }
    let before = sent.object.clone();
    let mut is_applied = false;
    for mutation in &policy.mutations {
        let Some(object) = &sent.object else { break };
        let seen = Seen::of(core, sent.clone(), sent_as);
        let scope = scope_of(&seen, policy, params.as_ref(), namespace, &names);
        match mutated(core.catalog.kubernetes, mutation, &scope, object, &sent, sent_as)? {
            Ok(object) => {
                sent.object = Some(object);
                is_applied = true;
            }
            Err(why) => errors.add(policy, Some(binding), &why, true),
        }
    }
    if before != sent.object {
        attributes.object = match sent.object {
            Some(object) if sent_as.id != attributes.kind.id && !is_other(attributes) => {
                let converted = sent_as.convert(object, &attributes.kind.api_version());
                Some(converted.map_err(|mut failure| {
                    let why = &failure.message;
                    failure.message = format!("failed to convert object: {why}");
                    internal(&core.webhook_calls, failure)
                })?)
            }
            object => object,
        };
        again.require();
    }
    if policy.is_reinvoked() {
        again.may.insert(key);
    }
    Ok(is_applied)
}

/// Returns the object after a mutation, or the reason why it cannot be changed. Source: `dispatchOne`.
fn mutated(
    kubernetes: KubernetesVersion,
    mutation: &Mutation,
    scope: &Scope<'_>,
    object: &Value,
    sent: &Attributes,
    sent_as: &ServedKind,
) -> Configured<Value> {
    let value = match evaluated(mutation, scope) {
        Ok(value) => value,
        Err(why) => return Ok(Err(why)),
    };
    let (mut after, validation) = if mutation.is_json_patch {
        match patched(object, &value) {
            // Upstream: built-in kinds are decoded strictly.
            Ok(Some(after)) => (after, FieldValidation::Strict),
            Ok(None) => return Ok(Ok(object.clone())),
            Err(why) => return Ok(Err(why)),
        }
    } else {
        let config = match configuration(object, &value) {
            Ok(config) => config,
            Err(why) => return Ok(Err(why)),
        };
        match ownership::apply_unowned(kubernetes, sent_as, sent.part, object, &config) {
            Ok(after) => (after, FieldValidation::Ignore),
            Err(why) => return Ok(Err(format!("error applying patch: {why}"))),
        }
    };
    if is_other(sent) {
        return Ok(Ok(after));
    }
    if let Some(compiled) = sent_as.compiled() {
        // Upstream: the next mutation sees unknown fields, too.
        compiled.apply_defaults(&mut after);
        return Ok(Ok(after));
    }
    let coerced = sent_as.coerce_object(after, Vec::new(), validation, kubernetes, &mut Vec::new());
    coerced.map(Ok).map_err(|why| Failure::internal(&why))
}

/// Returns whether the object that is written is of another kind than the one that is stored, such as `Scale`.
fn is_other(attributes: &Attributes) -> bool {
    attributes.part.other_kind().is_some()
}

/// Returns what the expressions of a policy see.
fn scope_of<'v>(
    seen: &'v Seen<'_>,
    policy: &'v Policy,
    params: Option<&'v Value>,
    namespace: Option<&'v Value>,
    names: &'v Value,
) -> Scope<'v> {
    let mut bound = seen.bound();
    bound.push((PARAMS, of_json(params)));
    let declared = namespace.map(|it| Cel::declared(it, declared_namespace()));
    bound.push((NAMESPACE_OBJECT, declared.and_then(Result::ok).unwrap_or(Cel::Null)));
    bound.push(variables_as(names));
    Scope::new(bound, &policy.variables)
}

/// Returns the value of the expression of a mutation.
fn evaluated<'v>(mutation: &'v Mutation, scope: &Scope<'v>) -> Result<Cel<'v>, String> {
    if let Err(why) = &mutation.expression.program {
        return Err(why.clone());
    }
    let (results, _) = scope.evaluate([Some(&mutation.expression)], VALIDATIONS)?;
    results.into_iter().flatten().next().unwrap_or(Ok(Cel::Null))
}

/// Returns an object with the operations of an expression applied; `None` if a `test` fails. Source:
/// `jsonPatcher.Patch`.
fn patched(object: &Value, operations: &Cel<'_>) -> Result<Option<Value>, String> {
    let text = |error: crd_cel::error::EvalError| error.text().to_owned();
    let mut read = Vec::new();
    for element in operations.elements().into_iter().flatten() {
        let element = element.map_err(text)?;
        let Some(operation) = element.constructed() else {
            return Err(format!(
                "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch, got element of {}",
                element.type_name()
            ));
        };
        let mut json = Map::new();
        for key in ["op", "path", "from"] {
            let value = operation.field(key).and_then(Cel::as_str).unwrap_or_default();
            if key != "from" || !value.is_empty() {
                json.insert(key.to_owned(), value.into());
            }
        }
        if let Some(value) = operation.field("value") {
            json.insert("value".to_owned(), value.to_json().map_err(text)?);
        }
        read.push(Value::Object(json));
    }
    match JsonPatch::read(&read)?.apply(object) {
        Ok(after) => Ok(Some(after)),
        Err(failed) if failed.is_failed_test() => Ok(None),
        Err(failed) => Err(format!("JSON Patch: {}", failed.0)),
    }
}

/// Returns the configuration that an expression applies to an object. Source: `applyConfigPatcher.Patch`.
fn configuration(object: &Value, value: &Cel<'_>) -> Result<Value, String> {
    let mut config = value.to_json().map_err(|error| error.text().to_owned())?;
    if let Value::Object(map) = &mut config {
        for key in ["apiVersion", "kind"] {
            map.insert(key.to_owned(), object.get(key).cloned().unwrap_or_default());
        }
    }
    Ok(config)
}
