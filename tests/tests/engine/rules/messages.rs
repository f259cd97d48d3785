//! The messages, reasons and paths of broken rules, and rules that cannot be evaluated.

use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{KubernetesVersion, Server, admit};
use serde_json::{Value, json};

use super::{errors, int, kind, object, schema_errors, spec_rule, string};

/// Checks the error of an object that breaks this rule of its `spec`. By default, the rule is `self.v > 5`.
#[track_caller]
fn fails(mut rule: Value, want: &str) {
    rule["rule"] = rule.get("rule").cloned().unwrap_or_else(|| "self.v > 5".into());
    let schema = spec_rule(rule, json!({"v": int(), "w": int(), "s": string(), "t": string()}));
    assert!(schema_errors(&schema).is_empty(), "{}", schema_errors(&schema));
    let object = object(&json!({"v": 1, "s": "one"}));
    assert_eq!(errors(admit::create(&schema, object)), want);
}

#[test]
fn messages_reasons_and_paths() {
    fails(json!({}), "spec: Invalid value: failed rule: self.v > 5");
    fails(json!({"message": " too small "}), "spec: Invalid value: too small");
    fails(
        json!({"messageExpression": "' v of ' + self.s + ' '", "message": "unused"}),
        "spec: Invalid value: v of one",
    );
    fails(json!({"messageExpression": "''", "message": "used"}), "spec: Invalid value: used");
    fails(json!({"messageExpression": "'a\\nb'", "message": "used"}), "spec: Invalid value: used");
    fails(json!({"messageExpression": "self.t", "message": "used"}), "spec: Invalid value: used");
    fails(
        json!({"reason": "FieldValueForbidden", "message": "no", "fieldPath": ".v"}),
        "spec.v: Forbidden: no",
    );
    fails(json!({"reason": "FieldValueRequired", "message": "no"}), "spec: Required value: no");
    fails(json!({"reason": "FieldValueDuplicate", "message": "no"}), "spec: Duplicate value");
}

#[test]
fn rules_that_cannot_be_evaluated() {
    fails(
        json!({"rule": "self.w > 5"}),
        "spec: Invalid value: \"object\": no such key: w evaluating rule: self.w > 5",
    );
    fails(
        json!({"rule": "self.w > 5", "message": "w is small"}),
        "spec: Invalid value: \"object\": no such key: w evaluating rule: w is small",
    );
    fails(
        json!({"rule": "dyn('a') + dyn(1) == 1"}),
        "spec: Invalid value: \"object\": 'no such overload': call arguments did not match a \
         supported operator, function or macro signature for rule: dyn('a') + dyn(1) == 1",
    );
}

#[test]
fn no_rule_is_evaluated_for_null() {
    let v = json!({"type": "integer", "nullable": true,
        "x-kubernetes-validations": [{"rule": "self > 5"}]});
    let schema = kind(&json!({"type": "object", "properties": {"v": v}}));
    assert_eq!(errors(admit::create(&schema, object(&json!({"v": null})))), "");
    let failed = errors(admit::create(&schema, object(&json!({"v": 1}))));
    assert_eq!(failed, "spec.v: Invalid value: 1: failed rule: self > 5");
}

/// The error of a rule shows a scalar; before 1.35 it shows the type.
#[test]
fn older_servers_show_the_type_of_a_value() {
    let spec = json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self > 5"}]});
    let crd: CustomResourceDefinition =
        crd_fixtures::crd("example.com", "Tab").cluster().spec("v1", spec).read();
    for (minor, shown) in [(34, "\"integer\""), (35, "1")] {
        let version = KubernetesVersion::of_minor(minor).expect("a known minor");
        let schema = Server::of(version).compile(&crd, "v1").expect("a version");
        let failed = errors(admit::create(&schema, object(&json!(1))));
        let want = format!("spec: Invalid value: {shown}: failed rule: self > 5");
        assert_eq!(failed, want, "1.{minor}");
    }
}

#[test]
fn a_message_may_have_five_kibibytes() {
    let rule = json!({"rule": "self.s == ''", "messageExpression": "self.s"});
    let schema = spec_rule(rule, json!({"s": {"type": "string", "maxLength": 6000}}));
    for (length, is_shown) in [(5120, true), (5121, false)] {
        let text = "x".repeat(length);
        let failed = errors(admit::create(&schema, object(&json!({"s": text}))));
        assert_eq!(failed.ends_with(&text), is_shown, "{failed}");
        assert_eq!(failed.ends_with("failed rule: self.s == ''"), !is_shown, "{failed}");
    }
}

#[test]
fn a_message_that_costs_too_much_ends_the_evaluation() {
    let items = json!({"type": "array", "maxItems": 100, "items": {"type": "integer"}});
    let message = "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > 0))) ? 'a' : 'b'";
    let rule = json!({"rule": "self.l.size() < 0", "messageExpression": message});
    let schema = spec_rule(rule, json!({"l": items}));
    let list: Vec<u32> = (1..=100).collect();
    let failed = errors(admit::create(&schema, object(&json!({"l": list}))));
    let limit = "no further validation rules will be run due to call cost exceeds limit for messageExpression";
    assert!(failed.contains(limit), "{failed}");
}

#[test]
fn messages_share_the_budget_of_rules() {
    let items = json!({"type": "array", "maxItems": 300, "items": {"type": "integer"}});
    let message = "self.l.all(a, self.l.all(b, a + b > 0)) ? 'a' : 'b'";
    let schema = kind(&json!({"type": "array", "maxItems": 20, "items": {
        "type": "object", "properties": {"l": items}, "x-kubernetes-validations": [
            {"rule": "self.l.size() < 0", "messageExpression": message}]}}));
    let list: Vec<u32> = (1..=300).collect();
    let spec: Vec<Value> = (0..20).map(|_| json!({"l": list})).collect();
    let failed = errors(admit::create(&schema, object(&json!(spec))));
    let limit = "messageExpression evaluation failed due to running out of cost budget, no further \
                 validation rules will be run";
    assert!(failed.contains(limit), "{failed}");
    let shown = failed.matches(": Invalid value: a").count();
    assert!((1..20).contains(&shown), "{failed}");
}

#[test]
fn rules_wait_for_a_valid_object() {
    let schema = spec_rule(json!({"rule": "self.v > 5"}), json!({"v": int()}));
    assert_eq!(
        errors(admit::create(&schema, object(&json!({"v": "x"})))),
        "spec.v: Invalid value: \"string\": spec.v in body must be of type integer: \"string\"\n\
         <nil>: Invalid value: null: some validation rules were not checked because the object was \
         invalid; correct the existing errors to complete validation"
    );
}
