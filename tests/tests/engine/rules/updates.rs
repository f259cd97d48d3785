//! Rules in updates: transition rules, `optionalOldSelf`, and the ratcheting of unchanged values.

use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use serde_json::{Value, json};

use super::{errors, kind, object, schema_errors, spec_rule, stored, string};

#[track_caller]
fn update(schema: &CompiledSchema, old: Value, new: Value, want: &str) {
    let got = errors(admit::update(schema, stored(&new), &stored(&old)));
    assert_eq!(got, want, "{old} -> {new}");
}

#[test]
fn transition_rules_compare_with_the_old_value() {
    let field = |rule: &str, type_: &str| {
        kind(&json!({"type": "object", "properties": {"v": {"type": type_, "maxLength": 9,
            "x-kubernetes-validations": [{"rule": rule}]}}}))
    };
    let immutable = field("self == oldSelf", "string");
    update(&immutable, json!({"v": "a"}), json!({"v": "a"}), "");
    let failed = "spec.v: Invalid value: \"b\": failed rule: self == oldSelf";
    update(&immutable, json!({"v": "a"}), json!({"v": "b"}), failed);
    update(&immutable, json!({}), json!({"v": "b"}), "");
    update(&immutable, json!({"v": "a"}), json!({}), "");
    assert_eq!(errors(admit::create(&immutable, object(&json!({"v": "b"})))), "");

    let monotonic = field("self >= oldSelf", "integer");
    update(&monotonic, json!({"v": 1}), json!({"v": 2}), "");
    let failed = "spec.v: Invalid value: 1: failed rule: self >= oldSelf";
    update(&monotonic, json!({"v": 2}), json!({"v": 1}), failed);

    let states = field(
        "[oldSelf, self] in [['new', 'ready'], ['ready', 'done']] || self == oldSelf",
        "string",
    );
    update(&states, json!({"v": "new"}), json!({"v": "ready"}), "");
    let failed = "spec.v: Invalid value: \"done\": failed rule: [oldSelf, self] in [['new', 'ready'], \
                  ['ready', 'done']] || self == oldSelf";
    update(&states, json!({"v": "new"}), json!({"v": "done"}), failed);
}

#[test]
fn a_rule_above_a_field_prevents_its_removal() {
    let schema =
        spec_rule(json!({"rule": "!has(oldSelf.v) || has(self.v)"}), json!({"v": string()}));
    update(&schema, json!({}), json!({}), "");
    update(&schema, json!({}), json!({"v": "a"}), "");
    let failed = "spec: Invalid value: failed rule: !has(oldSelf.v) || has(self.v)";
    update(&schema, json!({"v": "a"}), json!({}), failed);
}

#[test]
fn old_items_are_found_by_their_keys() {
    let list = |list_type: &str| {
        kind(&json!({"type": "object", "properties": {"l": {
            "type": "array", "maxItems": 9, "x-kubernetes-list-type": list_type,
            "x-kubernetes-list-map-keys": if list_type == "map" { json!(["k"]) } else { json!(null) },
            "items": {"type": "object", "required": ["k"],
                      "properties": {"k": {"type": "string"}, "v": {"type": "integer"}},
                      "x-kubernetes-validations": [{"rule": "self.v >= oldSelf.v"}]}}}}))
    };
    let map = list("map");
    assert!(schema_errors(&map).is_empty());
    let old = json!({"l": [{"k": "a", "v": 1}, {"k": "b", "v": 2}]});
    update(&map, old.clone(), json!({"l": [{"k": "b", "v": 2}, {"k": "a", "v": 1}]}), "");
    update(&map, old.clone(), json!({"l": [{"k": "c", "v": 0}]}), "");
    let failed = "spec.l[0]: Invalid value: failed rule: self.v >= oldSelf.v";
    update(&map, old, json!({"l": [{"k": "b", "v": 1}]}), failed);
    let errors = schema_errors(&list("atomic"));
    let text = errors.to_string();
    let want = "oldSelf cannot be used on the uncorrelatable portion of the schema within \
                schema.properties[spec].properties[l]";
    assert!(text.contains(want), "{text}");
}

#[test]
fn optional_old_self_runs_without_an_old_value() {
    let rule = "oldSelf.optMap(o, o == self).orValue(self == 'new')";
    let schema = kind(&json!({"type": "object", "properties": {"v": {
        "type": "string", "maxLength": 9,
        "x-kubernetes-validations": [{"rule": rule, "optionalOldSelf": true}]}}}));
    assert!(schema_errors(&schema).is_empty());
    let failed = |value: &str| format!("spec.v: Invalid value: \"{value}\": failed rule: {rule}");
    assert_eq!(errors(admit::create(&schema, object(&json!({"v": "new"})))), "");
    assert_eq!(errors(admit::create(&schema, object(&json!({"v": "old"})))), failed("old"));
    update(&schema, json!({}), json!({"v": "new"}), "");
    update(&schema, json!({"v": "old"}), json!({"v": "old"}), "");
    update(&schema, json!({"v": "old"}), json!({"v": "new"}), &failed("new"));
}

#[test]
fn errors_of_unchanged_values_are_ratcheted() {
    let schema = kind(&json!({"type": "object", "properties": {
        "a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 5"}]},
        "b": {"type": "integer"}}}));
    let result =
        admit::update(&schema, stored(&json!({"a": 9, "b": 2})), &stored(&json!({"a": 9, "b": 1})));
    let admitted = result.expect("only what did not change is wrong");
    assert_eq!(admitted.warnings, ["spec.a: Invalid value: 9: failed rule: self < 5"]);
    update(
        &schema,
        json!({"a": 9}),
        json!({"a": 8}),
        "spec.a: Invalid value: 8: failed rule: self < 5",
    );
}
