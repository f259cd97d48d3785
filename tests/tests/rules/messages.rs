//! The messages, reasons and paths of broken rules, and rules that cannot be evaluated.

use crd_runtime::admit;
use serde_json::{Value, json};

use crate::{errors, int, object, schema_errors, spec_rule, string};

/// The errors of an object whose only field breaks a rule.
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
fn rules_wait_for_a_valid_object() {
    let schema = spec_rule(json!({"rule": "self.v > 5"}), json!({"v": int()}));
    assert_eq!(
        errors(admit::create(&schema, object(&json!({"v": "x"})))),
        "spec.v: Invalid value: \"string\": spec.v in body must be of type integer: \"string\"\n\
         <nil>: Invalid value: null: some validation rules were not checked because the object was \
         invalid; correct the existing errors to complete validation"
    );
}
