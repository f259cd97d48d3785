//! Admission policies as they are evaluated: their compiled expressions.
//!
//! Source: `compilePolicy` of `pkg/admission/plugin/policy/validating/plugin.go` and `mutating/compilation.go` of
//! k8s.io/apiserver.

use crd_cel::kubernetes::KubernetesVersion;
use crd_engine::match_condition::Wanted;
use crd_engine::policy::{Composer, Expression, Variable};
use crd_engine::webhooks::PATCHES;
use serde_json::Value;

use super::{fields, metadata};

/// The resource under which validating policies are stored.
pub(super) const VALIDATING_POLICIES: &str =
    "admissionregistration.k8s.io/validatingadmissionpolicies";
/// The resource under which the bindings of validating policies are stored.
pub(super) const VALIDATING_BINDINGS: &str =
    "admissionregistration.k8s.io/validatingadmissionpolicybindings";

/// The resource under which mutating policies are stored.
pub(super) const MUTATING_POLICIES: &str = "admissionregistration.k8s.io/mutatingadmissionpolicies";
/// The resource under which the bindings of mutating policies are stored.
pub(super) const MUTATING_BINDINGS: &str =
    "admissionregistration.k8s.io/mutatingadmissionpolicybindings";

/// A policy with its compiled expressions.
#[derive(Debug)]
pub(super) struct Policy {
    pub(super) name: String,
    pub(super) spec: Value,
    pub(super) variables: Vec<Variable>,
    pub(super) conditions: Vec<Expression>,
    pub(super) validations: Vec<Validation>,
    pub(super) audit_annotations: Vec<Expression>,
    pub(super) mutations: Vec<Mutation>,
}

/// A mutation of a policy.
#[derive(Debug)]
pub(super) struct Mutation {
    /// Whether it is a JSON patch, and not a configuration that is applied.
    pub(super) is_json_patch: bool,
    pub(super) expression: Expression,
}

/// A validation of a policy.
#[derive(Debug)]
pub(super) struct Validation {
    pub(super) expression: Expression,
    pub(super) message_expression: Option<Expression>,
    pub(super) message: String,
    pub(super) reason: String,
}

impl Policy {
    pub(super) fn of(object: &Value, kubernetes: KubernetesVersion) -> Self {
        let spec = object.get("spec").cloned().unwrap_or_default();
        let has_params = spec.get("paramKind").is_some_and(Value::is_object);
        let mut composer = Composer::stored(kubernetes, has_params);
        for variable in fields::list(&spec, "variables") {
            composer.add(fields::text(variable, "name"), fields::text(variable, "expression"));
        }
        let compile = |text: &str, wanted| composer.compile(text, wanted, true);
        let validation = |validation: &Value| {
            let text = |key| fields::text(validation, key);
            let message = Some(text("messageExpression")).filter(|text| !text.is_empty());
            Validation {
                expression: compile(text("expression"), Wanted::Bool),
                message_expression: message
                    .map(|text| composer.compile(text, Wanted::String, false)),
                message: text("message").trim().to_owned(),
                reason: text("reason").to_owned(),
            }
        };
        let mutation = |mutation: &Value| {
            let type_ = fields::text(mutation, "patchType");
            let (_, key, wanted) = PATCHES.into_iter().find(|(name, ..)| *name == type_)?;
            let text = fields::text(fields::object(mutation, key)?, "expression");
            let expression = compile(text, wanted);
            Some(Mutation { is_json_patch: wanted == Wanted::JsonPatch, expression })
        };
        let conditions = fields::list(&spec, "matchConditions");
        let annotations = fields::list(&spec, "auditAnnotations");
        Self {
            name: metadata::text(object, "name").to_owned(),
            conditions: conditions
                .map(|it| compile(fields::text(it, "expression"), Wanted::Bool))
                .collect(),
            validations: fields::list(&spec, "validations").map(validation).collect(),
            audit_annotations: annotations
                .map(|it| compile(fields::text(it, "valueExpression"), Wanted::StringOrNull))
                .collect(),
            mutations: fields::list(&spec, "mutations").filter_map(mutation).collect(),
            variables: composer.into_variables(),
            spec,
        }
    }

    /// Returns whether the policy is evaluated again if the object changes after it.
    pub(super) fn is_reinvoked(&self) -> bool {
        fields::text(&self.spec, "reinvocationPolicy") == "IfNeeded"
    }

    /// Returns whether an error of the policy admits the write.
    pub(super) fn fails_open(&self) -> bool {
        fields::text(&self.spec, "failurePolicy") == "Ignore"
    }
}
