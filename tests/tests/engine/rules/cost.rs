//! Which schemas make a rule too expensive, and the budgets of the evaluation.

use crd_runtime::admit;
use serde_json::{Value, json};

use super::{errors, kind, object, schema_errors, spec_rule};

/// Checks that the server rejects a schema of `spec` because of the cost of the rule at `at` below it.
#[track_caller]
fn reject(spec: Value, at: &str, factor: &str) {
    let schema = kind(&spec);
    let errors = schema_errors(&schema);
    let first = errors.iter().next().map(ToString::to_string).unwrap_or_default();
    let want = format!(
        "schema.properties[spec]{at}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost \
         exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, \
         maxProperties, and maxLength where arrays, maps, and strings are declared)"
    );
    assert_eq!(first, want);
}

#[track_caller]
fn accept(spec: Value) {
    let schema = kind(&spec);
    assert_eq!(schema_errors(&schema).to_string(), "[]");
}

#[test]
fn unbounded_lists_are_too_expensive() {
    let spec = |max_items: Option<u32>, max_length: Option<u32>| {
        json!({"type": "array", "maxItems": max_items,
               "items": {"type": "string", "maxLength": max_length},
               "x-kubernetes-validations": [{"rule": "self.all(x, x.contains('a string'))"}]})
    };
    reject(spec(None, None), "", "more than 100x");
    accept(spec(Some(25), Some(10)));
    accept(spec(Some(25), None));
}

#[test]
fn nested_lists_multiply() {
    let spec = |max_items: Option<u32>| {
        json!({"type": "array", "maxItems": max_items, "items": {
            "type": "array", "maxItems": max_items, "items": {
                "type": "array", "maxItems": max_items, "items": {"type": "integer"}}},
            "x-kubernetes-validations": [
                {"rule": "self.all(x, x.all(y, y.all(z, z > 0)))"}]})
    };
    reject(spec(None), "", "more than 100x");
    reject(spec(Some(300)), "", "13.5x");
    accept(spec(Some(100)));
}

#[test]
fn a_rule_in_a_list_costs_once_for_each_item() {
    let spec = |max_items: Option<u32>, max_length: Option<u32>| {
        json!({"type": "array", "maxItems": max_items, "items": {
            "type": "string", "maxLength": max_length,
            "x-kubernetes-validations": [{"rule": "self.contains('a string')"}]}})
    };
    reject(spec(None, None), ".items", "more than 100x");
    accept(spec(Some(25), Some(10)));
    accept(spec(Some(25), None));
    accept(spec(None, Some(10)));
}

#[test]
fn a_rule_in_nested_lists_costs_once_for_each_item_of_each() {
    let spec = |max_items: Option<u32>, max_length: Option<u32>| {
        json!({"type": "array", "maxItems": max_items, "items": {
            "type": "array", "maxItems": max_items, "items": {
                "type": "string", "maxLength": max_length,
                "x-kubernetes-validations": [{"rule": "self.contains('a string')"}]}}})
    };
    reject(spec(None, None), ".items.items", "more than 100x");
    accept(spec(Some(25), Some(10)));
    reject(spec(Some(3000), Some(10)), ".items.items", "4.5x");
    // A list without a bound counts as many items as fit into a request, which is less.
    accept(spec(None, Some(10)));
}

#[test]
fn budgets_end_the_evaluation() {
    let items = json!({"type": "array", "maxItems": 100, "items": {"type": "integer"}});
    let schema = spec_rule(
        json!({"rule": "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > 0)))"}),
        json!({"l": items}),
    );
    let list: Vec<u32> = (1..=100).collect();
    assert_eq!(
        errors(admit::create(&schema, object(&json!({"l": list})))),
        "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no \
         further validation rules will be run due to call cost exceeds limit for rule: \
         self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > 0)))"
    );

    let rule = json!({"rule": "self.l.all(a, self.l.all(b, a + b > 0))"});
    let inner = json!({"type": "object", "properties": {"l": {
        "type": "array", "maxItems": 300, "items": {"type": "integer"}}},
        "x-kubernetes-validations": [rule]});
    let schema = kind(&json!({"type": "array", "maxItems": 20, "items": inner}));
    let list: Vec<u32> = (1..=300).collect();
    let spec: Vec<Value> = (0..20).map(|_| json!({"l": list})).collect();
    let got = errors(admit::create(&schema, object(&json!(spec))));
    assert!(
        got.ends_with(
            "Invalid value: \"object\": validation failed due to running out of cost budget, no \
             further validation rules will be run"
        ),
        "{got}"
    );
    assert_eq!(got.lines().count(), 1, "{got}");
}

/// Comparing two lists costs as much as they have elements; what is in the elements is not counted. The limit for that
/// work is many times the cost limit.
#[test]
fn work_that_no_cost_counts_may_exceed_the_cost_limit() {
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    let lists = json!({"type": "array", "items": numbers});
    let rule = json!({"rule": "self.n.all(i, self.l == self.m)"});
    let schema = kind(&json!({
        "type": "object", "properties": {"n": numbers, "l": lists, "m": lists},
        "x-kubernetes-validations": [rule, rule],
    }));
    let (times, list): (Vec<u32>, Vec<u32>) = ((0..100).collect(), (0..60_000).collect());
    let spec = json!({"n": times, "l": [list], "m": [list]});
    assert_eq!(errors(admit::create(&schema, object(&spec))), "");
}
