//! What can be wrong with a rule before it is compiled.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`,
//! `ValidateCustomResourceDefinitionOpenAPISchema`.

use super::field_path;
use crate::field::{Error, ErrorList, Path};
use crate::model::{JsonSchemaProps, ValidationRule};
use crate::schema::Structural;

/// The reasons a rule can give, sorted.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// Checks the texts of a schema's rules. `path` is the schema's.
pub(crate) fn check_texts(schema: &JsonSchemaProps, path: &Path<'_>, errors: &mut ErrorList) {
    let Some(rules) = &schema.x_validations else { return };
    let rules_path = path.field("x-kubernetes-validations");
    for (i, rule) in rules.iter().enumerate() {
        let path = rules_path.index(i);
        check_rule(rule, &path, errors);
        if !rule.field_path.is_empty() && !is_valid_path(schema, &rule.field_path) {
            let error = "must be a valid path";
            errors.push(Error::invalid(&path.field("fieldPath"), &*rule.field_path, error));
        }
    }
}

fn check_rule(rule: &ValidationRule, path: &Path<'_>, errors: &mut ErrorList) {
    let (text, message) = (rule.rule.trim(), rule.message.trim());
    let message_path = path.field("message");
    if text.is_empty() {
        errors.push(Error::required(&path.field("rule"), "rule is not specified"));
    } else if !rule.message.is_empty() && message.is_empty() {
        let detail = "must be non-empty if specified";
        errors.push(Error::invalid(&message_path, &*rule.message, detail));
    } else if has_line_breaks(message) {
        let detail = "must not contain line breaks";
        errors.push(Error::invalid(&message_path, &*rule.message, detail));
    } else if has_line_breaks(text) && message.is_empty() {
        let detail = "message must be specified if rule contains line breaks";
        errors.push(Error::required(&message_path, detail));
    }
    if !rule.message_expression.is_empty() && rule.message_expression.trim().is_empty() {
        let detail = "messageExpression must be non-empty if specified";
        errors.push(Error::required(&path.field("messageExpression"), detail));
    }
    if let Some(reason) = rule.reason.as_deref().filter(|reason| !REASONS.contains(reason)) {
        errors.push(Error::not_supported(&path.field("reason"), reason, REASONS));
    }
    let field_path = path.field("fieldPath");
    if !rule.field_path.is_empty() && rule.field_path.trim().is_empty() {
        let detail = "must be non-empty if specified";
        errors.push(Error::invalid(&field_path, &*rule.field_path, detail));
    }
    if has_line_breaks(&rule.field_path) {
        let detail = "must not contain line breaks";
        errors.push(Error::invalid(&field_path, &*rule.field_path, detail));
    }
}

fn has_line_breaks(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// A schema that cannot be structural is not asked.
fn is_valid_path(schema: &JsonSchemaProps, path: &str) -> bool {
    Structural::try_from(schema)
        .map_or(true, |structural| field_path::resolve(path, &structural).is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(rule: Value, want: &[&str]) {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}},
                            "x-kubernetes-validations": [rule]});
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        let mut errors = ErrorList::new();
        check_texts(&props, &Path::new("p"), &mut errors);
        let got: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let want: Vec<String> =
            want.iter().map(|text| format!("p.x-kubernetes-validations[0].{text}")).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn rules_must_say_something() {
        check(json!({"rule": "true"}), &[]);
        check(json!({"rule": " \n"}), &["rule: Required value: rule is not specified"]);
        check(
            json!({"rule": "true", "message": " "}),
            &[r#"message: Invalid value: " ": must be non-empty if specified"#],
        );
        check(
            json!({"rule": "true", "message": "a\nb"}),
            &[r#"message: Invalid value: "a\nb": must not contain line breaks"#],
        );
        check(
            json!({"rule": "true\n&& true"}),
            &["message: Required value: message must be specified if rule contains line breaks"],
        );
        check(json!({"rule": "true\n"}), &[]);
        check(
            json!({"rule": "true", "messageExpression": " "}),
            &[
                "messageExpression: Required value: messageExpression must be non-empty if specified",
            ],
        );
    }

    #[test]
    fn reasons_and_paths_are_checked() {
        check(json!({"rule": "true", "reason": "FieldValueRequired", "fieldPath": ".a"}), &[]);
        check(
            json!({"rule": "true", "reason": ""}),
            &[
                r#"reason: Unsupported value: "": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired""#,
            ],
        );
        check(
            json!({"rule": "true", "fieldPath": ".b"}),
            &[r#"fieldPath: Invalid value: ".b": must be a valid path"#],
        );
        check(
            json!({"rule": "true", "fieldPath": "\n"}),
            &[
                r#"fieldPath: Invalid value: "\n": must be non-empty if specified"#,
                r#"fieldPath: Invalid value: "\n": must not contain line breaks"#,
                r#"fieldPath: Invalid value: "\n": must be a valid path"#,
            ],
        );
    }
}
