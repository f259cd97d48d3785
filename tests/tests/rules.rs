//! The validation rules of the Kubernetes documentation, each with an object that keeps it and one that
//! does not; which schemas make a rule too expensive; and what an update changes.

#![expect(clippy::needless_pass_by_value, reason = "tables of cases hand over their values")]

use crd_runtime::admit::{self, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::field::{ErrorList, Path};
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::ruleset::{self, Options};
use serde_json::{Value, json};

/// A kind whose `spec` has this schema.
fn kind(spec: &Value) -> CompiledSchema {
    let root = json!({"type": "object", "properties": {"spec": spec}});
    root_kind(&root)
}

fn root_kind(root: &Value) -> CompiledSchema {
    let crd: CustomResourceDefinition = serde_json::from_value(json!({
        "metadata": {"name": "tabs.example.com"},
        "spec": {"group": "example.com", "scope": "Cluster",
                 "names": {"plural": "tabs", "kind": "Tab"},
                 "versions": [{"name": "v1", "served": true, "storage": true,
                               "schema": {"openAPIV3Schema": root}}]},
    }))
    .expect("a definition");
    CompiledSchema::for_version(&crd, "v1").expect("the version is there")
}

fn schema_errors(schema: &CompiledSchema) -> ErrorList {
    let path = Path::new("schema");
    let structural = schema.structural().expect("the version has a schema");
    ruleset::check_rules(structural, &path, &ErrorList::new(), Options::default())
}

fn object(spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Tab", "metadata": {"name": "one"}, "spec": spec})
}

/// An object that has been stored before.
fn stored(spec: &Value) -> Value {
    let mut object = object(spec);
    object["metadata"]["resourceVersion"] = "1".into();
    object
}

fn errors(result: Result<admit::Admitted, Rejection>) -> String {
    match result {
        Ok(_) => String::new(),
        Err(Rejection::Invalid(invalid)) => {
            let texts: Vec<String> = invalid.errors.iter().map(ToString::to_string).collect();
            texts.join("\n")
        }
        Err(other) => panic!("{other}"),
    }
}

/// A rule over the fields of `spec`: the schema is accepted, `good` is admitted, `bad` is not.
#[track_caller]
fn check(rule: &str, fields: Value, good: Value, bad: Value) {
    let spec = json!({"type": "object", "properties": fields,
                      "x-kubernetes-validations": [{"rule": rule}]});
    check_schema(rule, &spec, &good, &bad);
}

#[track_caller]
fn check_schema(rule: &str, spec: &Value, good: &Value, bad: &Value) {
    let schema = kind(spec);
    assert_eq!(schema_errors(&schema).to_string(), "[]", "{rule}");
    assert_eq!(errors(admit::create(&schema, object(good))), "", "{rule}");
    let got = errors(admit::create(&schema, object(bad)));
    assert!(got.ends_with(&format!("failed rule: {rule}")), "{rule}: {got}");
}

fn int() -> Value {
    json!({"type": "integer"})
}

fn string() -> Value {
    json!({"type": "string", "maxLength": 20})
}

fn strings() -> Value {
    json!({"type": "array", "maxItems": 10, "items": string()})
}

#[test]
fn rules_of_the_documentation() {
    check(
        "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
        json!({"minReplicas": int(), "replicas": int(), "maxReplicas": int()}),
        json!({"minReplicas": 1, "replicas": 2, "maxReplicas": 3}),
        json!({"minReplicas": 1, "replicas": 4, "maxReplicas": 3}),
    );
    check(
        "'Available' in self.stateCounts",
        json!({"stateCounts": {"type": "object", "additionalProperties": int()}}),
        json!({"stateCounts": {"Available": 1}}),
        json!({"stateCounts": {"Degraded": 1}}),
    );
    check(
        "(self.list1.size() == 0) != (self.list2.size() == 0)",
        json!({"list1": strings(), "list2": strings()}),
        json!({"list1": [], "list2": ["a"]}),
        json!({"list1": ["a"], "list2": ["a"]}),
    );
    check(
        "!('MY_KEY' in self.map1) || self.map1['MY_KEY'].matches('^[a-zA-Z]*$')",
        json!({"map1": {"type": "object", "additionalProperties": string()}}),
        json!({"map1": {"MY_KEY": "abc"}}),
        json!({"map1": {"MY_KEY": "1"}}),
    );
    check(
        "has(self.expired) && self.created + self.ttl < self.expired",
        json!({
            "created": {"type": "string", "format": "date-time"},
            "expired": {"type": "string", "format": "date-time"},
            "ttl": {"type": "string", "format": "duration"},
        }),
        json!({"created": "2024-01-01T00:00:00Z", "ttl": "1h", "expired": "2024-01-01T02:00:00Z"}),
        json!({"created": "2024-01-01T00:00:00Z", "ttl": "3h", "expired": "2024-01-01T02:00:00Z"}),
    );
    check(
        "self.health.startsWith('ok')",
        json!({"health": string()}),
        json!({"health": "okay"}),
        json!({"health": "bad"}),
    );
    check(
        "self.widgets.exists(w, w.key == 'x' && w.foo < 10)",
        json!({"widgets": {"type": "array", "maxItems": 10, "items": {
            "type": "object", "properties": {"key": string(), "foo": int()}}}}),
        json!({"widgets": [{"key": "y", "foo": 1}, {"key": "x", "foo": 9}]}),
        json!({"widgets": [{"key": "x", "foo": 10}]}),
    );
    check_schema(
        "type(self) == string ? self == '99%' : self == 42",
        &json!({"x-kubernetes-int-or-string": true, "x-kubernetes-validations": [
            {"rule": "type(self) == string ? self == '99%' : self == 42"}]}),
        &json!("99%"),
        &json!(41),
    );
    check(
        "self.set1.all(e, !(e in self.set2))",
        json!({
            "set1": {"type": "array", "maxItems": 10, "items": string(),
                     "x-kubernetes-list-type": "set"},
            "set2": {"type": "array", "maxItems": 10, "items": string(),
                     "x-kubernetes-list-type": "set"},
        }),
        json!({"set1": ["a"], "set2": ["b"]}),
        json!({"set1": ["a", "b"], "set2": ["b"]}),
    );
    check(
        "size(self.names) == size(self.details) && self.names.all(n, n in self.details)",
        json!({"names": strings(), "details": {"type": "object", "maxProperties": 10,
                                               "additionalProperties": string()}}),
        json!({"names": ["a"], "details": {"a": "1"}}),
        json!({"names": ["a"], "details": {"b": "1"}}),
    );
    check(
        "size(self.clusters.filter(c, c.name == self.primary)) == 1",
        json!({"primary": string(), "clusters": {"type": "array", "maxItems": 10, "items": {
            "type": "object", "properties": {"name": string()}}}}),
        json!({"primary": "a", "clusters": [{"name": "a"}, {"name": "b"}]}),
        json!({"primary": "c", "clusters": [{"name": "a"}, {"name": "b"}]}),
    );
}

#[test]
fn rules_at_the_root_see_the_name() {
    let schema = root_kind(&json!({
        "type": "object",
        "x-kubernetes-validations": [{"rule": "self.metadata.name == 'singleton'"}],
    }));
    assert!(schema_errors(&schema).is_empty());
    let mut object = object(&json!({}));
    assert_eq!(
        errors(admit::create(&schema, object.clone())),
        "<nil>: Invalid value: failed rule: self.metadata.name == 'singleton'"
    );
    object["metadata"]["name"] = "singleton".into();
    assert_eq!(errors(admit::create(&schema, object)), "");
}

#[test]
fn functions_of_the_documentation() {
    check(
        "self.names.isSorted()",
        json!({"names": strings()}),
        json!({"names": ["a", "b"]}),
        json!({"names": ["b", "a"]}),
    );
    check(
        "self.items.map(x, x.weight).sum() == 1.0",
        json!({"items": {"type": "array", "maxItems": 5, "items": {
            "type": "object", "properties": {"weight": {"type": "number"}}}}}),
        json!({"items": [{"weight": 0.5}, {"weight": 0.5}]}),
        json!({"items": [{"weight": 1}, {"weight": 1}]}),
    );
    check(
        "self.lowPriorities.map(x, x.priority).max() < self.highPriorities.map(x, x.priority).min()",
        json!({
            "lowPriorities": {"type": "array", "maxItems": 5, "items": {
                "type": "object", "properties": {"priority": int()}}},
            "highPriorities": {"type": "array", "maxItems": 5, "items": {
                "type": "object", "properties": {"priority": int()}}},
        }),
        json!({"lowPriorities": [{"priority": 1}], "highPriorities": [{"priority": 2}]}),
        json!({"lowPriorities": [{"priority": 2}], "highPriorities": [{"priority": 2}]}),
    );
    check(
        "self.names.indexOf('should-be-first') == 0",
        json!({"names": strings()}),
        json!({"names": ["should-be-first", "b"]}),
        json!({"names": ["b"]}),
    );
    check(
        "self.details.find('[0-9]+') == '123'",
        json!({"details": string()}),
        json!({"details": "abc 123"}),
        json!({"details": "abc"}),
    );
    check(
        "isURL(self.link) && url(self.link).getHost() == 'example.com:80'",
        json!({"link": {"type": "string", "maxLength": 40}}),
        json!({"link": "https://example.com:80/"}),
        json!({"link": "https://example.com/"}),
    );
    check(
        "isQuantity(self.size) && quantity(self.size).isLessThan(quantity('1Gi'))",
        json!({"size": string()}),
        json!({"size": "512Mi"}),
        json!({"size": "2Gi"}),
    );
    check(
        "cidr(self.network).containsIP(self.address)",
        json!({"network": string(), "address": string()}),
        json!({"network": "10.0.0.0/8", "address": "10.1.2.3"}),
        json!({"network": "10.0.0.0/8", "address": "192.168.0.1"}),
    );
    check(
        "sets.contains(['a', 'b'], self.names)",
        json!({"names": strings()}),
        json!({"names": ["b"]}),
        json!({"names": ["c"]}),
    );
}

#[test]
fn names_that_are_no_identifiers_are_escaped() {
    check(
        "self.__namespace__ > 0 && self.x__dash__prop > 0 && self.redact__underscores__d > 0 \
         && self.a__dot__b > 0 && self.c__slash__d > 0",
        json!({"namespace": int(), "x-prop": int(), "redact__d": int(), "a.b": int(),
               "c/d": int()}),
        json!({"namespace": 1, "x-prop": 1, "redact__d": 1, "a.b": 1, "c/d": 1}),
        json!({"namespace": 1, "x-prop": 1, "redact__d": 1, "a.b": 1, "c/d": 0}),
    );
}

/// What the server says of a rule in a schema of `spec`.
#[track_caller]
fn refuse(spec: Value, want: &str) {
    let schema = kind(&spec);
    let errors = schema_errors(&schema);
    let first = errors.iter().next().map(ToString::to_string).unwrap_or_default();
    assert!(first.contains(want), "{first}");
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
    refuse(spec(None, None), "estimated rule cost exceeds budget by factor of more than 100x");
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
    refuse(spec(None), "estimated rule cost exceeds budget by factor of more than 100x");
    refuse(spec(Some(300)), "estimated rule cost exceeds budget by factor of 13.5x");
    accept(spec(Some(100)));
}

#[test]
fn a_rule_in_a_list_costs_once_for_each_item() {
    let spec = |max_items: Option<u32>| {
        json!({"type": "array", "maxItems": max_items, "items": {
            "type": "string", "maxLength": 1000,
            "x-kubernetes-validations": [{"rule": "self.contains('x') || self.contains('y')"}]}})
    };
    refuse(spec(None), "spec");
    accept(spec(Some(100)));
}

fn spec_rule(rule: Value, fields: Value) -> CompiledSchema {
    kind(&json!({"type": "object", "properties": fields, "x-kubernetes-validations": [rule]}))
}

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
fn a_field_cannot_be_removed_by_a_rule_above_it() {
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
fn what_did_not_change_is_forgiven() {
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
