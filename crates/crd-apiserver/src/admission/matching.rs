//! Whether a webhook is called or a policy is evaluated for a write: rules, selectors and match conditions.
//!
//! Source: `pkg/admission/plugin/webhook/generic/webhook.go` and `predicates`, and
//! `pkg/admission/plugin/policy/matching/matching.go` of k8s.io/apiserver.

use std::sync::Arc;

use serde_json::Value;

use super::super::catalog::Catalog;
use super::super::core::Core;
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::kind::ServedKind;
use super::super::labels::LabelSelector;
use super::super::store::Store;
use super::super::{fields, namespaces};
use super::{AdmissionOperation, AdmissionWebhook, Attributes};
use crd_cel::kubernetes::KubernetesVersion;

/// What selects writes: a webhook, or the constraints of a policy or binding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Criteria<'a> {
    /// The object with the selectors and the rules.
    value: &'a Value,
    /// The field with the rules.
    rules: &'static str,
    /// Whether all writes are selected if there are no rules.
    may_omit_rules: bool,
}

impl<'a> Criteria<'a> {
    pub(super) fn of_webhook(hook: &'a AdmissionWebhook) -> Self {
        Self { value: &hook.value, rules: "rules", may_omit_rules: false }
    }

    /// Returns the criteria of `matchConstraints` or `matchResources`.
    pub(super) fn of_policy(value: &'a Value) -> Self {
        Self { value, rules: "resourceRules", may_omit_rules: true }
    }
}

/// Returns the kind in whose version a selected write is seen; `None` if it is not selected. With the match policy
/// `Equivalent`, this may be another version of the same resource: a webhook with a rule for `v1` receives as `v1`
/// what a client writes as `v2`.
///
/// # Errors
/// Status 404 if the namespace does not exist, 500 if a selector is invalid.
pub(super) fn matched_kind(
    core: &Core,
    criteria: Criteria<'_>,
    attributes: &Attributes,
) -> Answer<Option<Arc<ServedKind>>> {
    let in_namespace = is_in_namespace(core, criteria.value, attributes);
    if in_namespace.as_ref().is_ok_and(|matches| !matches) {
        return Ok(None);
    }
    let selector = selector(core.catalog.kubernetes, criteria.value, "objectSelector");
    let is_object = selector.as_ref().map_or(Ok(true), |selector| match selector {
        Ok(selector) => {
            let objects = [&attributes.object, &attributes.old];
            let matches = objects.into_iter().flatten().any(|object| selector.matches(object));
            Ok(selector.is_empty() || matches)
        }
        Err(why) => Err(Failure::internal(why)),
    });
    if is_object.as_ref().is_ok_and(|matches| !matches) {
        return Ok(None);
    }
    if kind_by_rules(&core.catalog, criteria, "excludeResourceRules", attributes).is_some() {
        return Ok(None);
    }
    let has_rules = fields::list(criteria.value, criteria.rules).next().is_some();
    let found = if has_rules || !criteria.may_omit_rules {
        kind_by_rules(&core.catalog, criteria, criteria.rules, attributes)
    } else {
        Some(Arc::clone(&attributes.kind))
    };
    let Some(sent_as) = found else { return Ok(None) };
    // Upstream: the errors of the selectors count only if the rules match.
    in_namespace?;
    is_object?;
    Ok(Some(sent_as))
}

/// Returns the kind whose version a rule matches: that of the write, or one of its other versions if the match
/// policy is not `Exact`.
fn kind_by_rules(
    catalog: &Catalog,
    criteria: Criteria<'_>,
    key: &str,
    attributes: &Attributes,
) -> Option<Arc<ServedKind>> {
    let rules = || fields::list(criteria.value, key);
    let kind = &attributes.kind;
    if rules().any(|rule| matches(rule, attributes, kind)) {
        return Some(Arc::clone(kind));
    }
    if fields::text(criteria.value, "matchPolicy") == "Exact" {
        return None;
    }
    let equivalent: Vec<&Arc<ServedKind>> = catalog
        .all()
        .filter(|other| other.storage == kind.storage && other.id != kind.id)
        .collect();
    rules().find_map(|rule| {
        let found = equivalent.iter().find(|other| matches(rule, attributes, other));
        found.map(|found| Arc::clone(found))
    })
}

/// Returns whether the namespace of a write matches a namespace selector. Cluster-scoped objects match any
/// selector, except for namespaces, whose own labels decide. Source: `Matcher.MatchNamespaceSelector`.
fn is_in_namespace(core: &Core, criteria: &Value, attributes: &Attributes) -> Answer<bool> {
    let is_namespace = &*attributes.kind.storage == namespaces::RESOURCE;
    if attributes.namespace.is_empty() && !is_namespace {
        return Ok(true);
    }
    let selector = match selector(core.catalog.kubernetes, criteria, "namespaceSelector") {
        None => return Ok(true),
        Some(selector) => selector.map_err(|why| Failure::internal(&why))?,
    };
    if selector.is_empty() {
        return Ok(true);
    }
    let is_own = is_namespace
        && attributes.subresource.is_empty()
        && attributes.operation != AdmissionOperation::Delete;
    if is_own {
        return Ok(attributes.object.as_ref().is_some_and(|object| selector.matches(object)));
    }
    Ok(selector.matches(&namespace_of(&core.store, attributes)?))
}

/// Returns the namespace of a write.
///
/// # Errors
/// Status 404 if it does not exist.
pub(super) fn namespace_of(store: &Store, attributes: &Attributes) -> Answer<Value> {
    let name = &attributes.namespace;
    let namespace = store.get(namespaces::RESOURCE, name);
    let namespace = namespace
        .ok_or_else(|| Failure::not_found(GroupResource { group: "", kind: "namespaces" }, name))?;
    Ok(namespace.object())
}

/// Returns a label selector, or `None` if there is none.
pub(super) fn selector(
    kubernetes: KubernetesVersion,
    criteria: &Value,
    key: &str,
) -> Option<Result<LabelSelector, String>> {
    Some(LabelSelector::of_value(fields::object(criteria, key)?, kubernetes))
}

/// Returns whether a rule matches a write, if its objects are sent as `kind`. Only rules of policies have names.
/// Source: `rules.Matcher.Matches` and `matchesResourceRules`.
fn matches(rule: &Value, attributes: &Attributes, kind: &ServedKind) -> bool {
    let texts = |key: &str| fields::list(rule, key).filter_map(Value::as_str);
    let has = |key: &str, wanted: &str| texts(key).any(|text| text == "*" || text == wanted);
    let is_namespace = &*kind.storage == namespaces::RESOURCE;
    let in_namespace = !is_namespace && !attributes.namespace.is_empty();
    let scope = match rule.get("scope").and_then(Value::as_str) {
        Some("Namespaced") => in_namespace,
        Some("Cluster") => !in_namespace,
        _ => true,
    };
    let resource = texts("resources").any(|text| {
        let (resource, subresource) = text.split_once('/').unwrap_or((text, ""));
        (resource == "*" || resource == kind.names.plural)
            && (subresource == "*" || subresource == attributes.subresource)
    });
    let mut names = texts("resourceNames").peekable();
    scope
        && resource
        && has("operations", attributes.operation.text())
        && has("apiGroups", &kind.group)
        && has("apiVersions", &kind.version)
        && (names.peek().is_none() || names.any(|name| name == attributes.name))
}
