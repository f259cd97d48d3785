//! Validates admission policies and their bindings.
//!
//! Source: `pkg/apis/admissionregistration/validation/validation.go` of kubernetes/kubernetes.

use std::collections::BTreeSet;

use crd_cel::escape::is_reserved;
use crd_cel::kubernetes::{Environment, KubernetesVersion};
use serde_json::Value;

use super::fields::check_choice;
use super::rules;
use super::validate::{check_conditions, check_selector};
use crate::field::{Path, Shown, Sink};
use crate::fields::{list, object as object_at, text, texts};
use crate::match_condition::Wanted;
use crate::names;
use crate::policy::{Composer, Expression};

/// The maximum number of audit annotations of a policy.
const MAX_ANNOTATIONS: usize = 20;
/// The maximum size of the expression of an audit annotation, in bytes.
const MAX_ANNOTATION_BYTES: usize = 5 * 1024;
/// The reasons of a validation. Source: `supportedValidationPolicyReason`.
const REASONS: [&str; 3] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const ACTIONS: [&str; 3] = ["Audit", "Deny", "Warn"];
/// The types of patches, each with the field of its expression, and the type of that.
pub const PATCHES: [(&str, &str, Wanted); 2] = [
    ("ApplyConfiguration", "applyConfiguration", Wanted::Object),
    ("JSONPatch", "jsonPatch", Wanted::JsonPatch),
];
/// The operations of the rules of a mutating policy. Source: `supportedMutatingOperations`.
const MUTATING_OPERATIONS: [&str; 4] = ["*", "CONNECT", "CREATE", "UPDATE"];

/// A kind of policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PolicyKind {
    Validating,
    Mutating,
}

/// Validates a policy. `old` is the stored one, for an update.
pub(super) fn validate_policy(
    kind: PolicyKind,
    object: &Value,
    old: Option<&Value>,
    errors: &mut Sink,
) {
    static NONE: Value = Value::Null;
    let new = object.get("spec").unwrap_or(&NONE);
    let old = old.map(|old| old.get("spec").unwrap_or(&NONE));
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let path = Path::new("spec");
    let mut check = PolicyCheck::of(new, old, errors.kubernetes());
    check.spec(kind, new, old, &path, errors);
    match kind {
        PolicyKind::Validating => check.validations(new, name, &path, errors),
        PolicyKind::Mutating => check.mutations(new, &path, errors),
    }
}

/// The expressions of a policy that are being compiled.
struct PolicyCheck<'a> {
    kubernetes: KubernetesVersion,
    has_params: bool,
    composer: Composer,
    /// The expressions of the stored policy.
    stored: BTreeSet<&'a str>,
}

impl<'a> PolicyCheck<'a> {
    fn of(spec: &Value, old: Option<&'a Value>, kubernetes: KubernetesVersion) -> Self {
        let has_params = object_at(spec, "paramKind").is_some();
        let composes = list(spec, "variables").next().is_some();
        let fields = [
            ("matchConditions", "expression"),
            ("validations", "expression"),
            ("validations", "messageExpression"),
            ("auditAnnotations", "valueExpression"),
            ("variables", "expression"),
        ];
        let stored = old.into_iter().flat_map(|old| {
            let plain = fields.into_iter();
            let plain = plain.flat_map(|(key, of)| list(old, key).map(move |it| text(it, of)));
            // Upstream: JSON patches are compiled as new ones on each update.
            let patches =
                list(old, "mutations").filter_map(|it| object_at(it, "applyConfiguration"));
            plain.chain(patches.map(|patch| text(patch, "expression")))
        });
        Self {
            kubernetes,
            has_params,
            composer: Composer::new(Environment::new(kubernetes), has_params, composes),
            stored: stored.collect(),
        }
    }

    fn environment(&self, text: &str) -> Environment {
        if self.stored.contains(text) {
            Environment::stored(self.kubernetes)
        } else {
            Environment::new(self.kubernetes)
        }
    }

    /// Checks what the policies of both kinds have.
    /// Source: `validateValidatingAdmissionPolicySpec` and `validateMutatingAdmissionPolicySpec`.
    fn spec(
        &mut self,
        kind: PolicyKind,
        spec: &Value,
        old: Option<&Value>,
        path: &Path<'_>,
        errors: &mut Sink,
    ) {
        require_choice(spec, "failurePolicy", &["Fail", "Ignore"], path, errors);
        if let Some(kind) = object_at(spec, "paramKind") {
            check_param_kind(kind, &path.field("paramKind"), errors);
        }
        let constraints = path.field("matchConstraints");
        match object_at(spec, "matchConstraints") {
            None => errors.required(&constraints, ""),
            Some(resources) => {
                check_resources(resources, &constraints, errors);
                if list(resources, "resourceRules").next().is_none() {
                    errors.required(&constraints.field("resourceRules"), "");
                }
                if kind == PolicyKind::Mutating {
                    check_operations(resources, &constraints, errors);
                }
            }
        }
        let is_same = |key: &str| old.is_some_and(|old| old.get(key) == spec.get(key));
        if !(is_same("paramKind") && is_same("matchConditions")) {
            // Upstream: match conditions are compiled without the variables of the policy.
            let composer = |text: &str| {
                Composer::new(self.environment(text), self.has_params, false)
                    .compile(text, Wanted::Bool, true)
                    .program
                    .map(drop)
            };
            check_conditions(spec, &path.field("matchConditions"), &composer, errors);
        }
        for (index, variable) in list(spec, "variables").enumerate() {
            self.variable(variable, &path.field("variables").index(index), errors);
        }
    }

    /// Checks what only mutating policies have. Source: `validateMutatingAdmissionPolicySpec`.
    fn mutations(&mut self, spec: &Value, path: &Path<'_>, errors: &mut Sink) {
        let at = path.field("mutations");
        if list(spec, "mutations").next().is_none() {
            errors.required(&at, "mutations must contain at least one item");
        }
        for (index, mutation) in list(spec, "mutations").enumerate() {
            self.mutation(mutation, &at.index(index), errors);
        }
        require_choice(spec, "reinvocationPolicy", &["IfNeeded", "Never"], path, errors);
    }

    /// Source: `validateMutation`.
    fn mutation(&mut self, mutation: &Value, path: &Path<'_>, errors: &mut Sink) {
        let type_ = text(mutation, "patchType");
        require_choice(mutation, "patchType", &PATCHES.map(|(name, ..)| name), path, errors);
        let Some((_, key, wanted)) = PATCHES.into_iter().find(|(name, ..)| *name == type_) else {
            return;
        };
        let at = path.field(key);
        match object_at(mutation, key) {
            None => errors.required(&at, format!("must be specified when patchType is {type_}")),
            Some(patch) => {
                let (expression, at) = (text(patch, "expression"), at.field("expression"));
                if expression.trim().is_empty() {
                    errors.required(&at, "");
                } else {
                    self.composer.set_environment(self.environment(expression));
                    report(&self.composer.compile(expression.trim(), wanted, true), &at, errors);
                }
            }
        }
        let others = PATCHES.into_iter().map(|(_, key, _)| key);
        for other in others.filter(|other| *other != key && object_at(mutation, other).is_some()) {
            let why = format!("must not be specified when patchType is {type_}");
            errors.invalid(&path.field(other), format!("{{{other}}}").as_str(), why);
        }
    }

    /// Checks what only validating policies have. Source: `validateValidatingAdmissionPolicySpec`.
    fn validations(&mut self, spec: &Value, name: &str, path: &Path<'_>, errors: &mut Sink) {
        let (validations, annotations) =
            (path.field("validations"), path.field("auditAnnotations"));
        let is_empty = |key: &str| list(spec, key).next().is_none();
        if is_empty("validations") && is_empty("auditAnnotations") {
            let why = "validations or auditAnnotations must contain at least one item";
            errors.required(&validations, why);
            errors.required(&annotations, why);
            return;
        }
        for (index, validation) in list(spec, "validations").enumerate() {
            self.validation(validation, &validations.index(index), errors);
        }
        let count = list(spec, "auditAnnotations").count();
        if count > MAX_ANNOTATIONS {
            let why = format!("must not have more than {MAX_ANNOTATIONS} auditAnnotations");
            let all = spec.get("auditAnnotations").unwrap_or(&Value::Null);
            errors.invalid(&annotations, all, why);
        }
        let mut keys = BTreeSet::new();
        for (index, annotation) in list(spec, "auditAnnotations").enumerate() {
            let path = annotations.index(index);
            self.annotation(annotation, name, &path, errors);
            if !keys.insert(text(annotation, "key")) {
                errors.duplicate(&path.field("key"), text(annotation, "key"));
            }
        }
    }

    /// Source: `validateVariable`.
    fn variable(&mut self, variable: &Value, path: &Path<'_>, errors: &mut Sink) {
        let (name, expression) = (text(variable, "name"), text(variable, "expression"));
        let at = path.field("name");
        if name.trim().is_empty() {
            errors.required(&at, "name is not specified");
        } else if !is_identifier(name) {
            errors.invalid(&at, name, "must be a valid CEL identifier");
        }
        let at = path.field("expression");
        if expression.trim().is_empty() {
            return errors.required(&at, "expression is not specified");
        }
        self.composer.set_environment(self.environment(expression));
        report(&self.composer.add(name, expression).expression, &at, errors);
    }

    fn check(
        &mut self,
        expression: &str,
        wanted: Wanted,
        has_authorizer: bool,
        path: &Path<'_>,
        errors: &mut Sink,
    ) {
        self.composer.set_environment(self.environment(expression));
        report(&self.composer.compile(expression, wanted, has_authorizer), path, errors);
    }

    /// Source: `validateValidation`.
    fn validation(&mut self, validation: &Value, path: &Path<'_>, errors: &mut Sink) {
        let expression = text(validation, "expression");
        let at = path.field("expression");
        if expression.trim().is_empty() {
            errors.required(&at, "expression is not specified");
        } else {
            self.check(expression, Wanted::Bool, true, &at, errors);
        }
        let (message, at) =
            (text(validation, "messageExpression"), path.field("messageExpression"));
        if !message.is_empty() && message.trim().is_empty() {
            errors.invalid(&at, message, "must be non-empty if specified");
        } else if !message.is_empty() {
            self.check(message, Wanted::String, false, &at, errors);
        }
        let (message, at) = (text(validation, "message"), path.field("message"));
        if !message.is_empty() && message.trim().is_empty() {
            errors.invalid(&at, message, "must be non-empty if specified");
        } else if message.trim().contains(['\n', '\r']) {
            errors.invalid(&at, message, "must not contain line breaks");
        }
        check_choice(validation, "reason", &REASONS, path, errors);
    }

    /// Source: `validateAuditAnnotation`.
    fn annotation(&mut self, annotation: &Value, name: &str, path: &Path<'_>, errors: &mut Sink) {
        let (key, at) = (text(annotation, "key"), path.field("key"));
        if name.is_empty() {
            errors.invalid(&at, key, "requires metadata.name be non-empty");
        } else {
            let full = format!("{name}/{key}");
            for why in names::label_key(&full, self.kubernetes) {
                errors.invalid(&at, full.as_str(), why);
            }
        }
        let (expression, at) =
            (text(annotation, "valueExpression").trim(), path.field("valueExpression"));
        if expression.is_empty() {
            errors.required(&at, "valueExpression is not specified");
        } else if expression.len() > MAX_ANNOTATION_BYTES {
            errors.required(&at, format!("must not exceed {MAX_ANNOTATION_BYTES} bytes in length"));
        } else {
            self.check(expression, Wanted::StringOrNull, true, &at, errors);
        }
    }
}

/// Adds the error of an expression that cannot be compiled.
fn report(expression: &Expression, path: &Path<'_>, errors: &mut Sink) {
    if let Err(why) = &expression.program {
        errors.invalid(path, expression.text.as_str(), why);
    }
}

/// Source: `isCELIdentifier`.
fn is_identifier(name: &str) -> bool {
    let is_start = |c: char| c == '_' || c.is_ascii_alphabetic();
    name.starts_with(is_start)
        && name.chars().all(|c| is_start(c) || c.is_ascii_digit())
        && !is_reserved(name)
}

/// Source: `validateParamKind`.
fn check_param_kind(kind: &Value, path: &Path<'_>, errors: &mut Sink) {
    let (version, at) = (text(kind, "apiVersion"), path.field("apiVersion"));
    let (group, bare) = version.split_once('/').unwrap_or(("", version));
    if version.is_empty() {
        errors.required(&at, "");
    } else if bare.contains('/') {
        let why = format!("unexpected GroupVersion string: {version}");
        errors.invalid(&at, version, why);
    } else {
        let problems = names::dns1123_subdomain(group);
        if !group.is_empty() && !problems.is_empty() {
            errors.invalid(&at, group, problems.join(","));
        }
        let problems = names::dns1035_label(bare);
        if bare.is_empty() {
            errors.invalid(&at, version, "version must be specified");
        } else if !problems.is_empty() {
            errors.invalid(&at, bare, problems.join(","));
        }
    }
    let (name, at) = (text(kind, "kind"), path.field("kind"));
    let problems = names::dns1035_label(&name.to_lowercase());
    if name.is_empty() {
        errors.required(&at, "");
    } else if !problems.is_empty() {
        let why =
            format!("may have mixed case, but should otherwise match: {}", problems.join(","));
        errors.invalid(&at, name, why);
    }
}

/// Checks that a field is set to one of the supported values.
fn require_choice(
    object: &Value,
    key: &str,
    supported: &[&str],
    path: &Path<'_>,
    errors: &mut Sink,
) {
    if object.get(key).is_none_or(Value::is_null) {
        errors.required(&path.field(key), "");
    }
    check_choice(object, key, supported, path, errors);
}

/// Source: `validateMatchResources`.
fn check_resources(resources: &Value, path: &Path<'_>, errors: &mut Sink) {
    require_choice(resources, "matchPolicy", &["Equivalent", "Exact"], path, errors);
    for key in ["namespaceSelector", "objectSelector"] {
        if object_at(resources, key).is_none() {
            errors.required(&path.field(key), "");
        }
        check_selector(resources, key, true, path, errors);
    }
    for key in ["resourceRules", "excludeResourceRules"] {
        let path = path.field(key);
        for (index, rule) in list(resources, key).enumerate() {
            let path = path.index(index);
            let at = path.field("resourceNames");
            let mut seen = BTreeSet::new();
            for (index, name) in texts(rule, "resourceNames").into_iter().enumerate() {
                for why in names::path_segment(&name, false) {
                    errors.invalid(&at.index(index), name.as_str(), why);
                }
                if seen.contains(&name) {
                    errors.duplicate(&at.index(index), name.as_str());
                }
                seen.insert(name);
            }
            rules::check(rule, &path, errors);
        }
    }
}

/// Checks that no rule has an operation in which there is nothing to change.
fn check_operations(resources: &Value, path: &Path<'_>, errors: &mut Sink) {
    for rule in list(resources, "resourceRules") {
        for operation in texts(rule, "operations") {
            if !MUTATING_OPERATIONS.contains(&operation.as_str()) {
                let at = path.field("resourceRules");
                let operation = Shown::TypedText(&operation);
                errors.not_supported(&at.field("operations"), operation, MUTATING_OPERATIONS);
            }
        }
    }
}

/// Validates a binding. Source: `validateValidatingAdmissionPolicyBindingSpec` and
/// `validateMutatingAdmissionPolicyBindingSpec`.
pub(super) fn validate_binding(kind: PolicyKind, object: &Value, errors: &mut Sink) {
    let empty = Value::Null;
    let (spec, path) = (object.get("spec").unwrap_or(&empty), Path::new("spec"));
    let (name, at) = (text(spec, "policyName"), path.field("policyName"));
    if name.is_empty() {
        errors.required(&at, "");
    } else {
        for why in names::subdomain_name(name, false) {
            errors.invalid(&at, name, why);
        }
    }
    if let Some(reference) = object_at(spec, "paramRef") {
        check_param_ref(reference, &path.field("paramRef"), errors);
    }
    if let Some(resources) = object_at(spec, "matchResources") {
        let path = path.field("matchResources");
        check_resources(resources, &path, errors);
        if kind == PolicyKind::Mutating {
            check_operations(resources, &path, errors);
        }
    }
    if kind == PolicyKind::Validating {
        check_actions(&texts(spec, "validationActions"), &path.field("validationActions"), errors);
    }
}

/// Source: `validateParamRef`.
fn check_param_ref(reference: &Value, path: &Path<'_>, errors: &mut Sink) {
    const EXCLUSIVE: &str = "name and selector are mutually exclusive";
    let (name, at) = (text(reference, "name"), path.field("name"));
    let has_selector = object_at(reference, "selector").is_some();
    if !name.is_empty() {
        for why in names::path_segment(name, false) {
            errors.invalid(&at, name, why);
        }
        if has_selector {
            errors.forbidden(&at, EXCLUSIVE);
        }
    }
    if has_selector {
        check_selector(reference, "selector", true, path, errors);
        if !name.is_empty() {
            errors.forbidden(&path.field("selector"), EXCLUSIVE);
        }
    } else if name.is_empty() {
        errors.required(path, "one of name or selector must be specified");
    }
    let (action, at) =
        (text(reference, "parameterNotFoundAction"), path.field("parameterNotFoundAction"));
    if action.is_empty() {
        errors.required(&at, "");
    } else if !matches!(action, "Deny" | "Allow") {
        errors.not_supported(&at, Shown::TypedText(action), ["Deny", "Allow"]);
    }
}

/// Source: `validateValidationActions`.
fn check_actions(actions: &[String], path: &Path<'_>, errors: &mut Sink) {
    let mut seen = BTreeSet::new();
    for (index, action) in actions.iter().enumerate() {
        let path = path.index(index);
        if !ACTIONS.contains(&action.as_str()) {
            errors.not_supported(&path, Shown::TypedText(action), ACTIONS);
        }
        if !seen.insert(action.as_str()) {
            errors.duplicate(&path, Shown::TypedText(action));
        }
    }
    if seen.contains("Deny") && seen.contains("Warn") {
        let why = "must not contain both Deny and Warn (repeating the same validation failure information in the API \
                   response and headers serves no purpose)";
        errors.invalid(path, Shown::Texts(actions), why);
    }
    if seen.is_empty() {
        errors.required(path, "");
    }
}
