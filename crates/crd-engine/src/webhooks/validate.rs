//! Validates configurations and policies, and warns of rules without effect.
//!
//! Source: `pkg/apis/admissionregistration/validation` of kubernetes/kubernetes.

use std::collections::BTreeSet;

use crd_cel::kubernetes::{Environment, KubernetesVersion};
use serde_json::Value;

use super::fields::{check_choice, has_wildcard};
use super::rules;
use crate::definition::{check_service, check_url};
use crate::differences::Difference;
use crate::field::{Path, Shown, Sink};
use crate::fields::{list, text, texts};
use crate::match_condition::{self, Declares, Wanted};
use crate::model::ServiceReference;
use crate::names;

/// The API group of the configurations.
pub const GROUP: &str = "admissionregistration.k8s.io";
/// The suffix of the names that are reserved for configurations in files of the server.
const STATIC: &str = ".static.k8s.io";
/// The versions of `AdmissionReview` that the server knows.
const REVIEW_VERSIONS: [&str; 2] = ["v1", "v1beta1"];
const NO_SIDE_EFFECTS: [&str; 2] = ["None", "NoneOnDryRun"];
const SIDE_EFFECTS: [&str; 4] = ["None", "NoneOnDryRun", "Some", "Unknown"];
/// The maximum number of match conditions of a webhook.
const MAX_CONDITIONS: i64 = 64;

/// The resources for which no webhook is called.
const EXCLUDED: [(&str, &str); 6] = [
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authentication.k8s.io", "tokenreviews"),
    ("authorization.k8s.io", "localsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
    ("authorization.k8s.io", "subjectaccessreviews"),
];

/// Which checks apply. An update skips each check that the stored configuration already fails, and the check of
/// match conditions that it does not change.
#[expect(clippy::struct_excessive_bools, reason = "each is a check of its own")]
struct Checks<'a> {
    kubernetes: KubernetesVersion,
    conditions: bool,
    no_side_effects: bool,
    known_review_version: bool,
    unique_names: bool,
    label_values: bool,
    /// The expressions of the stored configuration.
    stored: BTreeSet<&'a str>,
}

/// Checks that a new object does not have a reserved name.
pub(super) fn validate_name(object: &Value, kubernetes: KubernetesVersion, errors: &mut Sink) {
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    if Difference::StaticWebhooks.is_in(kubernetes) && name.ends_with(STATIC) {
        errors.invalid(&Path::new("metadata").field("name"), name, reserved());
    }
}

/// Validates a configuration of webhooks.
pub(super) fn validate_webhooks(
    object: &Value,
    old: Option<&Value>,
    kubernetes: KubernetesVersion,
    errors: &mut Sink,
) {
    let checks = Checks::of(object, old, kubernetes);
    let root = Path::new("webhooks");
    let mut names = BTreeSet::new();
    for (index, webhook) in list(object, "webhooks").enumerate() {
        let path = root.index(index);
        checks.webhook(webhook, &path, errors);
        let versions = texts(webhook, "admissionReviewVersions");
        checks.review_versions(&versions, &path.field("admissionReviewVersions"), errors);
        let name = text(webhook, "name");
        if checks.unique_names && !name.is_empty() && !names.insert(name) {
            errors.duplicate(&path.field("name"), name);
        }
    }
}

/// Returns the warnings for a configuration that is created or, if `is_update`, replaced.
#[must_use]
pub fn warnings(object: &Value, is_update: bool, kubernetes: KubernetesVersion) -> Vec<String> {
    let mut warnings = Vec::new();
    if !Difference::StaticWebhooks.is_in(kubernetes) {
        return warnings;
    }
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    if is_update && name.ends_with(STATIC) {
        warnings.push(format!("metadata.name: {}", reserved()));
    }
    for (index, webhook) in list(object, "webhooks").enumerate() {
        for (rule_index, rule) in list(webhook, "rules").enumerate() {
            let (groups, resources) = (texts(rule, "apiGroups"), texts(rule, "resources"));
            if has_wildcard(&groups) || has_wildcard(&resources) {
                continue;
            }
            let mut seen = BTreeSet::new();
            let named = groups
                .iter()
                .flat_map(|group| resources.iter().map(move |it| (group.as_str(), it.as_str())));
            for (group, resource) in named {
                if EXCLUDED.contains(&(group, resource)) && seen.insert((group, resource)) {
                    warnings.push(format!(
                        "webhooks[{index}].rules[{rule_index}]: {resource}.{group} is excluded from admission webhooks; \
                         this rule will have no effect"
                    ));
                }
            }
        }
    }
    warnings
}

fn reserved() -> String {
    format!(
        "names ending with {STATIC:?} are reserved for static manifest-based configurations and cannot be managed via the \
         API"
    )
}

impl<'a> Checks<'a> {
    /// Source: `ValidateValidatingWebhookConfigurationUpdate`.
    fn of(object: &Value, old: Option<&'a Value>, kubernetes: KubernetesVersion) -> Self {
        let hooks = |object: &'a Value| list(object, "webhooks");
        let old_webhooks = || old.into_iter().flat_map(hooks);
        let conditions = |object: &Value| -> Vec<Value> {
            let hooks = list(object, "webhooks");
            hooks.map(|hook| hook.get("matchConditions").cloned().unwrap_or_default()).collect()
        };
        let mut names = BTreeSet::new();
        let has_selector_errors = |hook: &Value| {
            let mut errors = Sink::of(kubernetes);
            for key in ["namespaceSelector", "objectSelector"] {
                check_selector(hook, key, true, &Path::new(""), &mut errors);
            }
            !errors.is_empty()
        };
        Self {
            kubernetes,
            conditions: old.is_none_or(|old| conditions(object) != conditions(old)),
            no_side_effects: old_webhooks()
                .all(|hook| NO_SIDE_EFFECTS.contains(&text(hook, "sideEffects"))),
            known_review_version: old_webhooks().all(|hook| {
                let versions = texts(hook, "admissionReviewVersions");
                versions.is_empty() || versions.iter().any(|it| is_review_version(it))
            }),
            unique_names: old_webhooks().all(|hook| names.insert(text(hook, "name"))),
            label_values: !old_webhooks().any(has_selector_errors),
            stored: old_webhooks()
                .flat_map(|hook| list(hook, "matchConditions"))
                .map(|condition| text(condition, "expression"))
                .collect(),
        }
    }

    /// Source: `validateValidatingWebhook` and `validateMutatingWebhook`.
    fn webhook(&self, webhook: &Value, path: &Path<'_>, errors: &mut Sink) {
        check_name(text(webhook, "name"), &path.field("name"), errors);
        let rules = path.field("rules");
        for (index, rule) in list(webhook, "rules").enumerate() {
            rules::check(rule, &rules.index(index), errors);
        }
        check_choice(webhook, "failurePolicy", &["Fail", "Ignore"], path, errors);
        check_choice(webhook, "matchPolicy", &["Equivalent", "Exact"], path, errors);
        let allowed = if self.no_side_effects { &NO_SIDE_EFFECTS[..] } else { &SIDE_EFFECTS[..] };
        if webhook.get("sideEffects").is_none_or(Value::is_null) {
            let detail = format!("must specify one of {}", allowed.join(", "));
            errors.required(&path.field("sideEffects"), detail);
        }
        check_choice(webhook, "sideEffects", allowed, path, errors);
        let seconds = webhook.get("timeoutSeconds").and_then(Value::as_i64);
        if let Some(seconds) = seconds.filter(|seconds| !(1..=30).contains(seconds)) {
            let detail = "the timeout value must be between 1 and 30 seconds";
            errors.invalid(&path.field("timeoutSeconds"), seconds, detail);
        }
        for key in ["namespaceSelector", "objectSelector"] {
            check_selector(webhook, key, self.label_values, path, errors);
        }
        check_choice(webhook, "reinvocationPolicy", &["IfNeeded", "Never"], path, errors);
        check_client(webhook, &path.field("clientConfig"), errors);
        if self.conditions {
            let compile = |expression: &str| self.compile(expression);
            check_conditions(webhook, &path.field("matchConditions"), &compile, errors);
        }
    }

    /// Source: `validateAdmissionReviewVersions`.
    fn review_versions(&self, versions: &[String], path: &Path<'_>, errors: &mut Sink) {
        let known = REVIEW_VERSIONS.join(", ");
        if versions.is_empty() {
            return errors.required(path, format!("must specify one of {known}"));
        }
        let mut seen = BTreeSet::new();
        for (index, version) in versions.iter().enumerate() {
            let path = path.index(index);
            if !seen.insert(version) {
                errors.invalid(&path, version.as_str(), "duplicate version");
                continue;
            }
            for why in names::dns1035_label(version) {
                errors.invalid(&path, version.as_str(), why);
            }
        }
        if self.known_review_version && !versions.iter().any(|it| is_review_version(it)) {
            let detail = format!("must include at least one of {known}");
            errors.invalid(path, Shown::Texts(versions), detail);
        }
    }

    fn compile(&self, expression: &str) -> Result<(), String> {
        let environment = if self.stored.contains(expression) {
            Environment::stored(self.kubernetes)
        } else {
            Environment::new(self.kubernetes)
        };
        let env = match_condition::environment(environment, Declares::OF_WEBHOOKS);
        match_condition::compile(&env, expression, Wanted::Bool).map(drop)
    }
}

/// Source: `validateMatchConditions`.
pub(super) fn check_conditions(
    object: &Value,
    path: &Path<'_>,
    compile: &dyn Fn(&str) -> Result<(), String>,
    errors: &mut Sink,
) {
    let count = list(object, "matchConditions").count();
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    if count > MAX_CONDITIONS {
        errors.too_many(path, count, MAX_CONDITIONS);
    }
    let mut names = BTreeSet::new();
    for (index, condition) in list(object, "matchConditions").enumerate() {
        let path = path.index(index);
        let expression = text(condition, "expression").trim();
        if expression.is_empty() {
            errors.required(&path.field("expression"), "");
        } else if let Err(why) = compile(expression) {
            errors.invalid(&path.field("expression"), expression, why);
        }
        let (name, path) = (text(condition, "name"), path.field("name"));
        if name.is_empty() {
            errors.required(&path, "");
            continue;
        }
        for why in names::label_key(name, errors.kubernetes()) {
            errors.invalid(&path, name, why);
        }
        if !names.insert(name) {
            errors.duplicate(&path, name);
        }
    }
}

/// Source: `IsFullyQualifiedName` of `k8s.io/apimachinery/pkg/util/validation`.
fn check_name(name: &str, path: &Path<'_>, errors: &mut Sink) {
    if name.is_empty() {
        return errors.required(path, "");
    }
    let reasons = names::dns1123_subdomain(name);
    if !reasons.is_empty() {
        errors.invalid(path, name, reasons.join(","));
    } else if name.split('.').count() < 3 {
        let why = "should be a domain with at least three segments separated by dots";
        errors.invalid(path, name, why);
    }
}

/// Source: `ValidateLabelSelector` of `k8s.io/apimachinery/pkg/apis/meta/v1/validation`.
pub(super) fn check_selector(
    webhook: &Value,
    key: &str,
    with_values: bool,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let Some(selector) = webhook.get(key).filter(|selector| selector.is_object()) else { return };
    let kubernetes = errors.kubernetes();
    let path = path.field(key);
    let at = path.field("matchLabels");
    let labels = selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
    for (name, value) in labels {
        for why in names::label_key(name, kubernetes) {
            errors.invalid(&at, name.as_str(), why);
        }
        let value = value.as_str().unwrap_or_default();
        for why in names::label_value(value, kubernetes) {
            errors.invalid(&at, value, why);
        }
    }
    let path = path.field("matchExpressions");
    for (index, requirement) in list(selector, "matchExpressions").enumerate() {
        let path = path.index(index);
        let (operator, values) = (text(requirement, "operator"), texts(requirement, "values"));
        let at = path.field("values");
        match operator {
            "In" | "NotIn" if values.is_empty() => {
                errors.required(&at, "must be specified when `operator` is 'In' or 'NotIn'");
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                let why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                errors.forbidden(&at, why);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => {
                let path = path.field("operator");
                errors.invalid(&path, Shown::TypedText(other), "not a valid selector operator");
            }
        }
        let name = text(requirement, "key");
        for why in names::label_key(name, kubernetes) {
            errors.invalid(&path.field("key"), name, why);
        }
        for (index, value) in values.iter().enumerate().filter(|_| with_values) {
            for why in names::label_value(value, kubernetes) {
                errors.invalid(&at.index(index), value.as_str(), why);
            }
        }
    }
}

fn check_client(webhook: &Value, path: &Path<'_>, errors: &mut Sink) {
    let config = webhook.get("clientConfig").unwrap_or(&Value::Null);
    let url = config.get("url").and_then(Value::as_str);
    let service = config.get("service").filter(|service| service.is_object());
    match (url, service) {
        (Some(url), None) => check_url(url, &path.field("url"), errors),
        (None, Some(service)) => {
            let service = serde_json::from_value::<ServiceReference>(service.clone());
            check_service(&service.unwrap_or_default(), &path.field("service"), errors);
        }
        _ => errors.required(path, "exactly one of url or service is required"),
    }
}

fn is_review_version(version: &str) -> bool {
    REVIEW_VERSIONS.contains(&version)
}
