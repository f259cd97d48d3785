//! The policies that are bound, and for which parameters a binding selects a write.
//!
//! Source: `pkg/admission/plugin/policy/generic` of k8s.io/apiserver.

use std::sync::Arc;

use serde_json::Value;

use super::super::core::Core;
use super::super::failure::Answer;
use super::super::kind::ServedKind;
use super::super::policy::Policy;
use super::super::store::Store;
use super::super::{fields, namespaces};
use super::matching::{self, Criteria};
use super::params::{self, Configured, reason};
use super::{Attributes, GROUP};

/// The plural names of the kinds to which policies do not apply.
const EXEMPT: [&str; 4] = [
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
];

/// The kind in whose version a policy sees a write, and the kind of its parameters.
pub(super) type Matched = (Arc<ServedKind>, Option<Arc<ServedKind>>);

/// Returns whether policies do not apply to the objects of a kind.
pub(super) fn is_exempt(kind: &ServedKind) -> bool {
    kind.group == GROUP && EXEMPT.contains(&kind.names.plural.as_str())
}

/// Returns the policies that are stored as `policies`, with their bindings.
///
/// Upstream evaluates policies in any order. Here it is that of their names.
pub(super) fn bound_policies(
    core: &Core,
    policies: &'static str,
    bindings: &'static str,
) -> Vec<(Arc<Policy>, Vec<Arc<Value>>)> {
    let stored = core.store.list(bindings, "");
    let mut bindings: Vec<Arc<Value>> = stored
        .map(|(key, stored)| core.bindings.get(bindings, Arc::clone(key), stored, Value::clone))
        .collect();
    bindings.sort_by(|a, b| policy_of(a).cmp(policy_of(b)));
    let bound = bindings.chunk_by(|a, b| policy_of(a) == policy_of(b)).filter_map(|of_policy| {
        let name = policy_of(of_policy.first()?);
        let stored = core.store.get(policies, name)?;
        let compile = |policy: &Value| Policy::of(policy, core.catalog.kubernetes);
        Some((core.policies.get(policies, name, stored, compile), of_policy.to_vec()))
    });
    bound.collect()
}

/// Returns the name of the policy that a binding binds.
fn policy_of(binding: &Value) -> &str {
    binding.pointer("/spec/policyName").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the kind in whose version a policy sees a write, and the kind of its parameters; `None` if the policy
/// does not apply.
pub(super) fn matched_policy(
    core: &Core,
    policy: &Policy,
    attributes: &Attributes,
) -> Configured<Option<Matched>> {
    let Some(constraints) = fields::object(&policy.spec, "matchConstraints") else {
        let why = "policy contained no match constraints, a required field";
        return Ok(Err(why.to_owned()));
    };
    let found = matching::matched_kind(core, Criteria::of_policy(constraints), attributes);
    let sent_as = match reason(core, found)? {
        Ok(Some(sent_as)) => sent_as,
        Ok(None) => return Ok(Ok(None)),
        Err(why) => return Ok(Err(why)),
    };
    Ok(params::param_kind(&core.catalog, &policy.spec)
        .map(|param_kind| Some((sent_as, param_kind))))
}

/// Returns the parameters with which a policy is evaluated for a write because of a binding: none if the binding
/// does not select the write, and `None` for an evaluation without parameters.
pub(super) fn params_of_binding(
    core: &Core,
    param_kind: Option<&Arc<ServedKind>>,
    binding: &Value,
    attributes: &Attributes,
) -> Configured<Vec<Option<Value>>> {
    let resources = binding.get("spec").and_then(|it| fields::object(it, "matchResources"));
    if let Some(resources) = resources {
        let matched = matching::matched_kind(core, Criteria::of_policy(resources), attributes);
        match reason(core, matched)? {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(Ok(Vec::new())),
            Err(why) => return Ok(Err(why)),
        }
    }
    params::params(core, param_kind, binding, attributes)
}

/// Returns the namespace that policies see: that of the object, unless the object is a namespace itself.
///
/// # Errors
/// Returns the error of [`matching::namespace_of`].
pub(super) fn namespace_seen(store: &Store, attributes: &Attributes) -> Answer<Option<Value>> {
    let is_namespace = &*attributes.kind.storage == namespaces::RESOURCE;
    if is_namespace || attributes.namespace.is_empty() {
        return Ok(None);
    }
    matching::namespace_of(store, attributes).map(Some)
}
