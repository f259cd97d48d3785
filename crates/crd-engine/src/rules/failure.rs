//! Errors of rules that do not hold or cannot be evaluated.

use crd_cel::error::EvalError;
use crd_cel::gofmt;
use crd_cel::value::Value;
use serde_json::Value as Json;

use super::limits::CALL_LIMIT;
use crate::field::{BadValue, Error, ErrorKind, Path};
use crate::model::ValidationRule;
use crate::ruleset::{CompiledRule, MessageExpression};

/// The longest text of a message expression, in bytes.
///
/// Source: `k8s.io/apiserver/pkg/apis/cel/config.go`, `MaxEvaluatedMessageExpressionSizeBytes`.
const MAX_MESSAGE_BYTES: usize = 5 * 1024;

/// The text of a failure.
pub(super) enum Detail {
    /// The text that the message expression returned.
    Evaluated(String),
    /// The rule's message, or else the rule: the text that [`text`] returns.
    MessageOrRule,
    /// No further rules are validated, because the budget or the limit of a call is used up; the text says which.
    Exhausted(String),
}

/// Returns the text for a rule that does not hold: that of its message expression, or else its message, or else the
/// rule. The cost of the message expression is taken from the budget, even if its text cannot be used.
pub(super) fn detail(
    rule: &CompiledRule,
    bindings: &[(&'static str, Result<Value<'_>, EvalError>)],
    budget: &mut u64,
) -> Detail {
    if let Some(MessageExpression { program, max_cost: _ }) = &rule.message {
        let evaluation = program.eval_bound(bindings, CALL_LIMIT);
        if evaluation.cost > *budget {
            let text = "messageExpression evaluation failed due to running out of cost budget, no \
                        further validation rules will be run";
            return Detail::Exhausted(text.to_owned());
        }
        match evaluation.result {
            Err(error) if error.is_cancelled() => {
                return Detail::Exhausted(format!(
                    "no further validation rules will be run due to call cost exceeds limit for \
                     messageExpression: {}",
                    gofmt::quote(&rule.source.message_expression)
                ));
            }
            result => {
                *budget -= evaluation.cost;
                let text = result.as_ref().ok().and_then(Value::as_str).map(str::trim);
                let usable = |text: &&str| {
                    !text.is_empty() && text.len() <= MAX_MESSAGE_BYTES && !text.contains('\n')
                };
                if let Some(text) = text.filter(usable) {
                    return Detail::Evaluated(text.to_owned());
                }
            }
        }
    }
    Detail::MessageOrRule
}

/// The text of a rule that does not hold and has no usable message expression.
pub(super) fn text(rule: &CompiledRule) -> String {
    if rule.source.message.is_empty() {
        format!("failed rule: {}", name(&rule.source))
    } else {
        rule.source.message.trim().to_owned()
    }
}

/// Returns the kind of the error that [`error`] returns.
pub(super) fn kind(rule: &CompiledRule) -> ErrorKind {
    match rule.source.reason.as_deref() {
        Some("FieldValueForbidden") => ErrorKind::Forbidden,
        Some("FieldValueRequired") => ErrorKind::Required,
        Some("FieldValueDuplicate") => ErrorKind::Duplicate,
        _ => ErrorKind::Invalid,
    }
}

/// Returns the error of a rule that does not hold; the reason of the rule decides the kind. With `shows_value`, the
/// error shows a scalar and omits other values; otherwise it shows `type_` in place of the value.
pub(super) fn error(
    rule: &CompiledRule,
    path: &Path<'_>,
    type_: &str,
    value: &Json,
    detail: String,
    shows_value: bool,
) -> Error {
    let value = match type_ {
        _ if !shows_value => type_.into(),
        "object" | "array" => BadValue::Omitted,
        _ => BadValue::Value(value.clone()),
    };
    match kind(rule) {
        ErrorKind::Forbidden => Error::forbidden(path, detail),
        ErrorKind::Required => Error::required(path, detail),
        // Upstream: an error of this kind has no message.
        ErrorKind::Duplicate => Error::duplicate(path, value),
        _ => Error::invalid(path, value, detail),
    }
}

/// The text of a rule that cannot be evaluated.
pub(super) fn evaluation_error(error: &EvalError, rule: &ValidationRule) -> String {
    let rule = name(rule);
    if error.is_no_such_overload() {
        format!(
            "'{error}': call arguments did not match a supported operator, function or macro \
             signature for rule: {rule}"
        )
    } else if error.is_cancelled() {
        format!(
            "'{error}': no further validation rules will be run due to call cost exceeds limit for \
             rule: {rule}"
        )
    } else {
        format!("{error} evaluating rule: {rule}")
    }
}

/// Returns the name of a rule in errors: its message, or else its expression.
fn name(rule: &ValidationRule) -> &str {
    if rule.message.is_empty() { rule.rule.trim() } else { rule.message.trim() }
}
