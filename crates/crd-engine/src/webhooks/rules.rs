//! Rules of webhooks: the operations and resources for which they are called.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fields::{check_choice, has_wildcard};
use crate::field::{Path, Shown, Sink};
use crate::fields::texts;

const OPERATIONS: [&str; 5] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/// Source: `validateRuleWithOperations` and `validateRule`.
pub(super) fn check(rule: &Value, path: &Path<'_>, errors: &mut Sink) {
    let checked_texts = |key: &str, of: &str, errors: &mut Sink| {
        let (values, path) = (texts(rule, key), path.field(key));
        if values.is_empty() {
            errors.required(&path, "");
        }
        if values.len() > 1 && has_wildcard(&values) {
            let detail = format!("if '*' is present, must not specify other {of}");
            errors.invalid(&path, Shown::Texts(&values), detail);
        }
        values
    };
    let at = path.field("operations");
    for (index, operation) in checked_texts("operations", "operations", errors).iter().enumerate() {
        if !OPERATIONS.contains(&operation.as_str()) {
            errors.not_supported(&at.index(index), Shown::TypedText(operation), OPERATIONS);
        }
    }
    checked_texts("apiGroups", "API groups", errors);
    let at = path.field("apiVersions");
    for (index, version) in checked_texts("apiVersions", "API versions", errors).iter().enumerate()
    {
        if version.is_empty() {
            errors.required(&at.index(index), "");
        }
    }
    check_resources(&texts(rule, "resources"), &path.field("resources"), errors);
    check_choice(rule, "scope", &["*", "Cluster", "Namespaced"], path, errors);
}

/// Source: `validateResources`.
fn check_resources(resources: &[String], path: &Path<'_>, errors: &mut Sink) {
    if resources.is_empty() {
        errors.required(path, "");
    }
    let (mut with_all_subresources, mut of_all_resources) = (BTreeSet::new(), BTreeSet::new());
    // Whether the last resource without a subresource is another one than `*`.
    let mut is_last_bare_named = false;
    for (index, resource) in resources.iter().enumerate() {
        let path = path.index(index);
        if resource.is_empty() {
            errors.required(&path, "");
            continue;
        }
        let Some((name, subresource)) = resource.split_once('/') else {
            is_last_bare_named = resource != "*";
            continue;
        };
        if with_all_subresources.contains(name) {
            let detail = format!("if '{name}/*' is present, must not specify {resource}");
            errors.invalid(&path, resource.as_str(), detail);
        }
        if of_all_resources.contains(subresource) {
            let detail = format!("if '*/{subresource}' is present, must not specify {resource}");
            errors.invalid(&path, resource.as_str(), detail);
        }
        if subresource == "*" {
            with_all_subresources.insert(name);
        }
        if name == "*" {
            of_all_resources.insert(subresource);
        }
    }
    let has = |wanted: &str| resources.iter().any(|resource| resource == wanted);
    if resources.len() > 1 && has("*/*") {
        let detail = "if '*/*' is present, must not specify other resources";
        errors.invalid(path, Shown::Texts(resources), detail);
    }
    // Upstream: of the resources without a subresource, only the last one counts.
    if has("*") && is_last_bare_named {
        let detail = "if '*' is present, must not specify other resources without subresources";
        errors.invalid(path, Shown::Texts(resources), detail);
    }
}
