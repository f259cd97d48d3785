//! Whether a webhook is called for a write: its rules, selectors and match conditions.
//!
//! Source: `pkg/admission/plugin/webhook/generic/webhook.go` and `predicates` of k8s.io/apiserver.

use std::sync::Arc;

use serde_json::Value;

use super::super::core::Core;
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::kind::ServedKind;
use super::super::labels::LabelSelector;
use super::super::namespaces;
use super::{AdmissionOperation, AdmissionWebhook, Attributes};

impl Core {
    /// Returns the kind in whose version a webhook receives the objects of a write; `None` if the webhook is not
    /// called. With the match policy `Equivalent`, this may be another version of the same resource: a webhook with a
    /// rule for `v1` receives as `v1` what a client writes as `v2`.
    /// Source: `Webhook.ShouldCallHook`.
    ///
    /// # Errors
    /// Status 404 if the namespace does not exist, 500 if a selector is invalid; or the errors of
    /// [`Core::meets_conditions`].
    pub(super) fn called_kind(
        &self,
        hook: &AdmissionWebhook,
        attributes: &Attributes,
    ) -> Answer<Option<Arc<ServedKind>>> {
        let in_namespace = self.is_in_namespace(hook, attributes);
        if in_namespace.as_ref().is_ok_and(|matches| !matches) {
            return Ok(None);
        }
        let selector = self.selector(hook, "objectSelector");
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
        let Some(sent_as) = self.kind_by_rules(hook, attributes) else { return Ok(None) };
        // Upstream: the errors of the selectors count only if the rules match.
        in_namespace?;
        is_object?;
        let is_called = self.meets_conditions(hook, attributes, &sent_as)?;
        Ok(is_called.then_some(sent_as))
    }

    /// Returns the kind whose version a rule of a webhook matches: that of the write, or one of its other versions if
    /// the match policy is not `Exact`.
    fn kind_by_rules(
        &self,
        hook: &AdmissionWebhook,
        attributes: &Attributes,
    ) -> Option<Arc<ServedKind>> {
        let rules = hook.value.get("rules").and_then(Value::as_array);
        let rules = || rules.into_iter().flatten();
        let kind = &attributes.kind;
        if rules().any(|rule| matches(rule, attributes, kind)) {
            return Some(Arc::clone(kind));
        }
        if hook.text("matchPolicy") == "Exact" {
            return None;
        }
        let equivalent: Vec<&Arc<ServedKind>> = self
            .catalog
            .all()
            .filter(|other| other.storage == kind.storage && other.id != kind.id)
            .collect();
        rules().find_map(|rule| {
            let found = equivalent.iter().find(|other| matches(rule, attributes, other));
            found.map(|found| Arc::clone(found))
        })
    }

    /// Returns whether the namespace of a write matches the namespace selector of a webhook. Cluster-scoped objects
    /// match any selector, except for namespaces, whose own labels decide. Source: `Matcher.MatchNamespaceSelector`.
    fn is_in_namespace(&self, hook: &AdmissionWebhook, attributes: &Attributes) -> Answer<bool> {
        let is_namespace = &*attributes.kind.storage == namespaces::RESOURCE;
        if attributes.namespace.is_empty() && !is_namespace {
            return Ok(true);
        }
        let selector = match self.selector(hook, "namespaceSelector") {
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
        let name = &attributes.namespace;
        let namespace = self.store.get(namespaces::RESOURCE, name);
        let namespace = namespace.ok_or_else(|| {
            Failure::not_found(GroupResource { group: "", kind: "namespaces" }, name)
        })?;
        Ok(selector.matches(&namespace.object()))
    }

    /// Returns a label selector of a webhook, or `None` if it has none.
    fn selector(
        &self,
        hook: &AdmissionWebhook,
        key: &str,
    ) -> Option<Result<LabelSelector, String>> {
        let value = hook.value.get(key).filter(|value| value.is_object())?;
        Some(LabelSelector::of_value(value, self.kubernetes))
    }

    /// Converts the objects of a write to the version that a webhook receives. A scale is not converted.
    ///
    /// # Errors
    /// If an object cannot be converted.
    pub(super) fn as_sent(attributes: &Attributes, sent_as: &ServedKind) -> Answer<Attributes> {
        let mut attributes = attributes.clone();
        if attributes.kind.id != sent_as.id && attributes.part != super::Part::Scale {
            let to = sent_as.api_version();
            for object in [&mut attributes.object, &mut attributes.old].into_iter().flatten() {
                *object = attributes.kind.convert(object.take(), &to)?;
            }
        }
        Ok(attributes)
    }
}

/// Returns whether a rule of a webhook matches a write, if its objects are sent as `kind`. Source:
/// `rules.Matcher.Matches`.
fn matches(rule: &Value, attributes: &Attributes, kind: &ServedKind) -> bool {
    let texts = |key: &str| {
        let list = rule.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str)
    };
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
    scope
        && resource
        && has("operations", attributes.operation.text())
        && has("apiGroups", &kind.group)
        && has("apiVersions", &kind.version)
}
