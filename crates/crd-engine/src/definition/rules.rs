//! Checks a rule without compiling it.

use crate::differences::Difference;
use crate::field::{Path, Shown, Sink};
use crate::model::{JsonSchemaProps, ValidationRule};
use crate::schema::{Notation, Structural, resolve};

/// The reasons that a rule can have. Source: `supportedValidationReason`.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// Checks the rules of a schema.
///
/// Source: `ValidateCustomResourceDefinitionOpenAPISchema`.
pub(super) fn check(props: &JsonSchemaProps, path: &Path<'_>, errors: &mut Sink) {
    let path = path.field("x-kubernetes-validations");
    for (index, rule) in props.x_validations.iter().flatten().enumerate() {
        check_rule(rule, props, &path.index(index), errors);
    }
}

fn check_rule(rule: &ValidationRule, props: &JsonSchemaProps, path: &Path<'_>, errors: &mut Sink) {
    let ValidationRule { message, message_expression, field_path, .. } = rule;
    let (text, shown) = (rule.rule.trim(), message.trim());
    let at = path.field("message");
    if text.is_empty() {
        errors.required(&path.field("rule"), "rule is not specified");
    } else if is_blank(message) {
        errors.invalid(
            &at,
            message.as_str(),
            detail("message", "must be non-empty if specified", errors),
        );
    } else if has_line_breaks(shown) {
        errors.invalid(
            &at,
            message.as_str(),
            detail("message", "must not contain line breaks", errors),
        );
    } else if has_line_breaks(text) && shown.is_empty() {
        let detail = "message must be specified if rule contains line breaks";
        errors.required(&at, detail);
    }
    if is_blank(message_expression) {
        let detail = "messageExpression must be non-empty if specified";
        errors.required(&path.field("messageExpression"), detail);
    }
    if let Some(reason) = rule.reason.as_deref()
        && !REASONS.contains(&reason)
    {
        errors.not_supported(&path.field("reason"), Shown::TypedText(reason), REASONS);
    }
    let at = path.field("fieldPath");
    if is_blank(field_path) {
        errors.invalid(
            &at,
            field_path.as_str(),
            detail("fieldPath", "must be non-empty if specified", errors),
        );
    }
    if has_line_breaks(field_path) {
        errors.invalid(
            &at,
            field_path.as_str(),
            detail("fieldPath", "must not contain line breaks", errors),
        );
    }
    if !field_path.is_empty()
        && let Ok(structural) = Structural::try_from(props)
        && resolve(field_path, Some(&structural), Notation::DotsAndBrackets).is_err()
    {
        errors.invalid(
            &at,
            field_path.as_str(),
            detail("fieldPath", "must be a valid path", errors),
        );
    }
}

/// Returns the detail of an error. Older servers begin it with the name of the field.
fn detail(field: &str, text: &str, errors: &Sink) -> String {
    if errors.server_has(Difference::ShortDetails) {
        text.to_owned()
    } else {
        format!("{field} {text}")
    }
}

fn is_blank(text: &str) -> bool {
    !text.is_empty() && text.trim().is_empty()
}

fn has_line_breaks(text: &str) -> bool {
    text.contains(['\n', '\r'])
}
