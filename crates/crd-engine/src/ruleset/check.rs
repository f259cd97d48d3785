//! Checks the rules of a schema as the server does when a CRD is written: each compiles, and their estimated costs are
//! within the limits.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`,
//! `ValidateCustomResourceDefinitionOpenAPISchema`, and `cel_validation.go`, `CELSchemaContext`.

use std::collections::BTreeSet;

use crd_cel::gofmt;
use crd_cel::kubernetes::KubernetesVersion;

use super::compile::{self, CompiledRule, RuleTarget, StoredExpressions};
use super::cost::{self, RULE_COST_LIMIT, SCHEMA_COST_LIMIT, TotalCost};
use super::walk::{SchemaVisit, Typing, walk};
use crate::differences::Difference;
use crate::field::{ADDRESS, BadValue, ErrorList, Path, Shown, Sink};
use crate::json;
use crate::model::ValidationRule;
use crate::schema::Structural;

/// How the rules of a schema are checked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The schema is that of the stored CRD: the limit of a single rule is not checked, the limit of all of them is.
    pub unchanged: bool,
    /// The server that checks them.
    pub kubernetes: KubernetesVersion,
}

/// Checks the rules of a whole schema that is structural and whose defaults are valid.
///
/// `unsound` has the paths of schemas with other errors, in themselves or below: their rules are not checked. `path` is
/// that of the root, `...openAPIV3Schema`.
pub fn check_rules(
    schema: &Structural,
    path: &Path<'_>,
    unsound: &BTreeSet<String>,
    options: Options,
) -> ErrorList {
    let mut errors = Sink::of(options.kubernetes);
    check_rules_into(schema, path, unsound, options, StoredExpressions::None, &mut errors);
    errors.into_errors()
}

/// As [`check_rules`], if the server has stored some of the expressions before. Adds the errors to a sink.
pub(crate) fn check_rules_into(
    schema: &Structural,
    path: &Path<'_>,
    unsound: &BTreeSet<String>,
    options: Options,
    stored: StoredExpressions<'_>,
    errors: &mut Sink,
) {
    let target = RuleTarget { kubernetes: options.kubernetes, stored };
    let mut checker = RuleChecker { unsound, options, target, total: TotalCost::default(), errors };
    walk(&SchemaVisit::root(schema, options.kubernetes), path, &mut |visited, path| {
        checker.check(visited, path);
    });
    let RuleChecker { total, errors, .. } = checker;
    if total.sum > SCHEMA_COST_LIMIT {
        for (_, rule_path) in &total.most_expensive {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 \
                 schema";
            errors.forbidden(&Path::new(rule_path), detail);
        }
        let name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = cost::exceeds(name, total.sum, SCHEMA_COST_LIMIT);
        errors.forbidden(path, detail);
    }
}

struct RuleChecker<'e, 's> {
    unsound: &'e BTreeSet<String>,
    options: Options,
    target: RuleTarget<'e>,
    total: TotalCost,
    errors: &'s mut Sink,
}

impl RuleChecker<'_, '_> {
    fn check(&mut self, visited: &SchemaVisit<'_>, path: &Path<'_>) {
        if !self.unsound.is_empty() && self.unsound.contains(&path.to_string()) {
            return;
        }
        let rules_path = path.field("x-kubernetes-validations");
        let seen = match &visited.typing {
            Typing::As(Some(seen)) => seen,
            Typing::As(None) => {
                let detail = "failed to convert to declType for CEL validation rules";
                return self.errors.internal(&rules_path, detail);
            }
            Typing::Failed | Typing::Unneeded => {
                let detail = "internal error: failed to construct type information for \
                              x-kubernetes-validations rules: unable to convert structural schema to CEL \
                              declarations";
                return self.errors.internal(&rules_path, detail);
            }
        };
        for (i, rule) in
            compile::compile(visited.schema, &seen.declared(), self.target).iter().enumerate()
        {
            self.check_rule(rule, visited, &rules_path.index(i));
        }
    }

    fn check_rule(&mut self, rule: &CompiledRule, visited: &SchemaVisit<'_>, path: &Path<'_>) {
        let rule_path = path.field("rule");
        let cost = cost::times(rule.max_cost, visited.cardinality.unwrap_or(rule.max_cardinality));
        if !self.options.unchanged && cost > RULE_COST_LIMIT {
            let detail = cost::exceeds("estimated rule cost", cost, RULE_COST_LIMIT);
            self.errors.forbidden(&rule_path, detail);
        }
        self.total.add(cost, &rule_path);
        let shown = |kubernetes| shown(&rule.source, kubernetes);
        if let Some(error) = &rule.error {
            self.errors.invalid(&rule_path, Shown::Make(&shown), error);
        }
        let message_path = path.field("messageExpression");
        if let Some(error) = &rule.message_error {
            self.errors.invalid(&message_path, Shown::Make(&shown), error);
        } else if let Some(message) = &rule.message {
            if !self.options.unchanged && message.max_cost > RULE_COST_LIMIT {
                let name = "estimated messageExpression cost";
                let detail = cost::exceeds(name, message.max_cost, RULE_COST_LIMIT);
                self.errors.forbidden(&message_path, detail);
            }
            self.total.add(message.max_cost, &message_path);
        }
        if rule.uses_old_self {
            if let Some(outermost) = &visited.uncorrelatable {
                let detail = format!(
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within \
                     {outermost}"
                );
                self.errors.invalid(&rule_path, &*rule.source.rule, detail);
            }
        } else if let Some(optional) = rule.source.optional_old_self {
            let detail = "may not be set if oldSelf is not used in rule";
            self.errors.invalid(&path.field("optionalOldSelf"), optional, detail);
        }
    }
}

/// Returns a rule as the server shows it in errors: Go's internal type, as JSON or, before 1.34, in Go's syntax.
fn shown(rule: &ValidationRule, kubernetes: KubernetesVersion) -> BadValue {
    let as_json = Difference::ValuesAsJson.is_in(kubernetes);
    BadValue::Json(if as_json { go_json(rule) } else { go_syntax(rule) })
}

/// Divergence: the server prints the addresses of `Reason` and `OptionalOldSelf`; here both are [`ADDRESS`].
fn go_syntax(rule: &ValidationRule) -> String {
    let pointer = |is_set: bool| if is_set { ADDRESS } else { "nil" };
    format!(
        "apiextensions.ValidationRule{{Rule:{}, Message:{}, MessageExpression:{}, \
         Reason:(*apiextensions.FieldValueErrorReason)({}), FieldPath:{}, OptionalOldSelf:(*bool)({})}}",
        gofmt::quote(&rule.rule),
        gofmt::quote(&rule.message),
        gofmt::quote(&rule.message_expression),
        pointer(rule.reason.is_some()),
        gofmt::quote(&rule.field_path),
        pointer(rule.optional_old_self.is_some()),
    )
}

/// Returns the JSON that Go writes for its internal type of a rule.
fn go_json(rule: &ValidationRule) -> String {
    let mut out = String::new();
    let fields = [
        ("{\"Rule\":", Some(&rule.rule)),
        (",\"Message\":", Some(&rule.message)),
        (",\"MessageExpression\":", Some(&rule.message_expression)),
        (",\"Reason\":", rule.reason.as_ref()),
        (",\"FieldPath\":", Some(&rule.field_path)),
    ];
    for (key, value) in fields {
        out.push_str(key);
        match value {
            Some(text) => json::write_string(&mut out, text),
            None => out.push_str("null"),
        }
    }
    let optional = match rule.optional_old_self {
        None => "null",
        Some(true) => "true",
        Some(false) => "false",
    };
    out + ",\"OptionalOldSelf\":" + optional + "}"
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::JsonSchemaProps;

    fn structural(schema: &Value) -> Structural {
        let props: JsonSchemaProps = serde_json::from_value(schema.clone()).unwrap();
        Structural::try_from(&props).unwrap()
    }

    /// Checks how each error begins.
    #[track_caller]
    fn check(schema: &Value, options: Options, want: &[&str]) {
        let errors = check_rules(&structural(schema), &Path::new("p"), &BTreeSet::new(), options);
        let got: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(got.len(), want.len(), "{got:#?}");
        for (got, want) in got.iter().zip(want) {
            assert!(got.starts_with(want), "{got}");
        }
    }

    fn rules(rules: &Value) -> Value {
        json!({"type": "object", "properties": {"a": {"type": "integer"}},
               "x-kubernetes-validations": rules})
    }

    #[test]
    fn a_rule_must_compile_to_a_bool() {
        let default = Options::default();
        check(&rules(&json!([{"rule": "self.a > 1"}, {"rule": " "}])), default, &[]);
        check(
            &rules(&json!([{"rule": "self.a", "message": "<x>"}])),
            default,
            &[
                r#"p.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.a","Message":"\u003cx\u003e","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool"#,
            ],
        );
        check(
            &rules(&json!([{"rule": "self.b", "messageExpression": "1"}])),
            default,
            &[
                r#"p.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b","Message":"","MessageExpression":"1","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'b'"#,
            ],
        );
        check(
            &rules(
                &json!([{"rule": "true", "messageExpression": "1", "reason": "FieldValueInvalid"}]),
            ),
            default,
            &[
                r#"p.x-kubernetes-validations[0].messageExpression: Invalid value: {"Rule":"true","Message":"","MessageExpression":"1","Reason":"FieldValueInvalid","FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string"#,
            ],
        );
        check(
            &rules(&json!([{"rule": "int('x') == self.a"}])),
            default,
            &[
                r#"p.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"int('x') == self.a","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: program instantiation failed: type conversion error from 'string' to 'int'"#,
            ],
        );
    }

    #[test]
    fn old_self_needs_a_correlatable_value() {
        let default = Options::default();
        check(
            &rules(&json!([{"rule": "self.a > 1", "optionalOldSelf": false}])),
            default,
            &[
                "p.x-kubernetes-validations[0].optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule",
            ],
        );
        let list = |list_type: Value| {
            json!({"type": "object", "properties": {"l": {
                "type": "array", "maxItems": 1, "x-kubernetes-list-type": list_type,
                "items": rules(&json!([{"rule": "self == oldSelf"}]))}}})
        };
        check(&list(json!("map")), default, &[]);
        check(
            &list(json!(null)),
            default,
            &[
                "p.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema within p.properties[l]",
            ],
        );
        check(
            &json!({"type": "object", "properties": {"m": {
                "type": "object", "maxProperties": 1,
                "additionalProperties": rules(&json!([{"rule": "self == oldSelf"}]))}}}),
            default,
            &[],
        );
    }

    #[test]
    fn an_unchanged_schema_may_have_expensive_rules_within_the_total_limit() {
        let expensive =
            rules(&json!([{"rule": "self.s.contains('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')"}]));
        let mut schema = json!({"type": "object", "properties": {"l": {"type": "array", "maxItems": 10,
                                                                       "items": expensive}}});
        schema["properties"]["l"]["items"]["properties"]["s"] = json!({"type": "string"});
        let limit = "p.properties[l].items.x-kubernetes-validations[0].rule: Forbidden: estimated \
                     rule cost exceeds budget by factor of 1.258294x";
        check(&schema, Options::default(), &[limit]);
        check(&schema, Options { unchanged: true, ..Options::default() }, &[]);
        schema["properties"]["l"]["maxItems"] = 1000.into();
        let contributed =
            "p.properties[l].items.x-kubernetes-validations[0].rule: Forbidden: contributed";
        let total = "p: Forbidden: x-kubernetes-validations estimated rule cost total for entire \
                     OpenAPIv3 schema exceeds budget by factor of 12.6x";
        check(&schema, Options { unchanged: true, ..Options::default() }, &[contributed, total]);
    }

    #[test]
    fn rules_see_the_name_of_a_resource_and_no_labels() {
        let labels = json!({"type": "object", "properties": {"metadata": {"type": "object",
            "properties": {"name": {"type": "string"}}}},
            "x-kubernetes-validations": [{"rule": "self.metadata.name != '' && self.kind != ''"},
                                         {"rule": "size(self.metadata.labels) > 0"}]});
        check(&labels, Options::default(), &["p.x-kubernetes-validations[1].rule: Invalid value"]);
    }

    #[test]
    fn rules_of_a_schema_without_a_type_are_an_error() {
        check(
            &json!({"type": "object", "properties": {"u": {
                "x-kubernetes-preserve-unknown-fields": true,
                "x-kubernetes-validations": [{"rule": "true"}]}}}),
            Options::default(),
            &[
                "p.properties[u].x-kubernetes-validations: Internal error: internal error: failed to construct type information",
            ],
        );
    }

    /// Rules share one declaration, but the names of types in the errors of a rule begin at the schema of that rule.
    #[test]
    fn types_are_named_from_the_rule() {
        let bad = |rules: &str, properties: Value| {
            json!({"type": "object", "properties": properties,
                   "x-kubernetes-validations": [{"rule": rules}]})
        };
        let inner = bad("self.c == 1", json!({"c": {"type": "object"}}));
        let list = json!({"type": "array", "items": inner});
        let map = json!({"type": "object", "additionalProperties": list});
        let unnamed = bad("self.__in__ == 1", json!({"in": inner.clone(), "2nd": inner}));
        let schema = bad("self.m['k'][0].c == 1", json!({"m": map, "1st": unnamed}));
        let errors = check_rules(
            &structural(&schema),
            &Path::new("p"),
            &BTreeSet::new(),
            Options { unchanged: true, ..Options::default() },
        );
        let schema_path = |field: &str| field.replace(".x-kubernetes-validations[0].rule", "");
        let types = |detail: &str| {
            let start = detail.find("applied to '(").map_or(0, |at| at + 13);
            detail.get(start..).and_then(|rest| rest.split(',').next()).unwrap_or("").to_owned()
        };
        let got: Vec<_> = errors
            .iter()
            .map(|error| format!("{}: {}", schema_path(&error.field), types(&error.detail)))
            .collect();
        assert_eq!(
            got,
            [
                "p.properties[1st].properties[2nd]: selfType0.c",
                "p.properties[1st].properties[in]: selfType0.c",
                "p.properties[1st]: selfType0.__in__",
                "p.properties[m].additionalProperties.items: selfType0.c",
                "p: selfType0.m.@elem.@idx.c",
            ]
        );
    }

    #[test]
    fn rules_of_invalid_schemas_are_not_checked() {
        let schema = json!({"type": "object", "properties": {
            "a": rules(&json!([{"rule": "x"}])), "aa": rules(&json!([{"rule": "x"}]))}});
        let unsound = ["p", "p.properties[a]"].map(String::from);
        let errors = check_rules(
            &structural(&schema),
            &Path::new("p"),
            &BTreeSet::from(unsound),
            Options::default(),
        );
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["p.properties[aa].x-kubernetes-validations[0].rule"]);
    }
}
