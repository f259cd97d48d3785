//! Updates of objects and of their status, and ratcheting.

use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use serde_json::{Value, json};

use super::support::{errors, object, outcome, widget, widget_with};

fn any() -> CompiledSchema {
    widget(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}))
}

/// Checks the errors of an update of metadata from `old` to `new`, both added to valid metadata; a null removes a field
/// from it.
#[track_caller]
fn check(old: &Value, new: &Value, want: &[&str]) {
    let with = |more: &Value| {
        let mut object = object(&json!({}));
        let metadata = object["metadata"].as_object_mut().unwrap();
        for (key, value) in more.as_object().unwrap() {
            if value.is_null() {
                metadata.remove(key);
            } else {
                metadata.insert(key.clone(), value.clone());
            }
        }
        object
    };
    assert_eq!(errors(&admit::update(&any(), with(new), &with(old))), want);
}

#[test]
fn some_metadata_never_changes() {
    let none = json!({});
    let immutable = |field: &str, value: &str| {
        format!("metadata.{field}: Invalid value: {value}: field is immutable")
    };
    check(&none, &none, &[]);
    check(&none, &json!({"name": "v"}), &[&immutable("name", r#""v""#)]);
    check(&none, &json!({"namespace": "x"}), &[&immutable("namespace", r#""x""#)]);
    check(&json!({"uid": "u"}), &json!({"uid": "v"}), &[&immutable("uid", r#""v""#)]);
    let time = json!("2024-01-01T00:00:00Z");
    check(&json!({"creationTimestamp": time}), &none, &[&immutable("creationTimestamp", "null")]);
    check(
        &none,
        &json!({"deletionTimestamp": time}),
        &[&immutable("deletionTimestamp", r#""2024-01-01T00:00:00Z""#)],
    );
    check(
        &none,
        &json!({"deletionGracePeriodSeconds": 5}),
        &[&immutable("deletionGracePeriodSeconds", "5")],
    );
    check(
        &none,
        &json!({"resourceVersion": null}),
        &[r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#],
    );
}

#[test]
fn no_finalizers_are_added_to_what_is_deleted() {
    let deleted = |finalizers: Value| json!({"deletionTimestamp": "2024-01-01T00:00:00Z", "finalizers": finalizers});
    check(&deleted(json!(["a/b"])), &deleted(json!([])), &[]);
    check(
        &deleted(json!(["a/b"])),
        &deleted(json!(["a/b", "c/d", "a/c"])),
        &[
            r#"metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/c", "c/d"}"#,
        ],
    );
}

#[test]
fn finalizer_names_are_checked() {
    check(
        &json!({}),
        &json!({"finalizers": ["a b"]}),
        &[
            "metadata.finalizers: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        ],
    );
}

#[test]
fn the_generation_counts_changes_of_content() {
    let with = |spec: Value, status: Value, generation: i64| {
        let mut object = object(&spec);
        object["status"] = status;
        object["metadata"]["generation"] = generation.into();
        object
    };
    let generation = |schema: &CompiledSchema, new: Value, old: Value| {
        outcome(admit::update(schema, new, &old)).0["metadata"]["generation"].clone()
    };
    let one = json!({"a": 1});
    let old = || with(one.clone(), one.clone(), 4);
    assert_eq!(generation(&any(), with(one.clone(), one.clone(), 9), old()), 4);
    assert_eq!(generation(&any(), with(json!({"a": 2}), one.clone(), 4), old()), 5);
    assert_eq!(generation(&any(), with(json!({"a": 1.0}), one.clone(), 4), old()), 5);
    // With the subresource `status`, an update of the object ignores the status; without it, the status is content.
    assert_eq!(generation(&any(), with(one.clone(), json!({}), 4), old()), 4);
    let all = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let without = widget_with(&all, &json!({}));
    assert_eq!(generation(&without, with(one.clone(), json!({}), 4), old()), 5);
    let mut labelled = old();
    labelled["metadata"]["labels"] = json!({"a": "b"});
    assert_eq!(generation(&any(), labelled, old()), 4);
}

#[test]
fn status_and_spec_are_written_apart() {
    let mut old = object(&json!({"a": 1}));
    old["status"] = json!({"s": 1});
    let mut new = object(&json!({"a": 2}));
    new["status"] = json!({"s": 2});
    new["metadata"]["labels"] = json!({"l": "m"});

    let created = outcome(admit::create(&any(), new.clone())).0;
    assert!(created.get("status").is_none());
    let updated = outcome(admit::update(&any(), new.clone(), &old)).0;
    assert_eq!((&updated["spec"], &updated["status"]), (&json!({"a": 2}), &json!({"s": 1})));
    assert_eq!(updated["metadata"]["labels"], json!({"l": "m"}));
    let status = outcome(admit::update_status(&any(), new, &old)).0;
    assert_eq!((&status["spec"], &status["status"]), (&json!({"a": 1}), &json!({"s": 2})));
    assert!(status["metadata"].get("labels").is_none());
    assert_eq!(status["metadata"]["generation"], 1);
}

#[test]
fn a_status_update_takes_managed_fields_along() {
    let mut old = object(&json!({}));
    old["metadata"]["managedFields"] = json!([{"operation": "Apply", "manager": "a"}]);
    let mut new = object(&json!({}));
    new["metadata"]["managedFields"] = json!([{"operation": "Update", "manager": "b"}]);
    let status = outcome(admit::update_status(&any(), new, &old)).0;
    assert_eq!(
        status["metadata"]["managedFields"],
        json!([{"operation": "Update", "manager": "b"}])
    );
    let status = outcome(admit::update_status(&any(), object(&json!({})), &old)).0;
    assert!(status["metadata"].get("managedFields").is_none());
}

#[test]
fn only_new_finalizers_are_warned_of() {
    let with = |finalizers: Value| {
        let mut object = object(&json!({}));
        object["metadata"]["finalizers"] = finalizers;
        object
    };
    let old = with(json!(["a"]));
    let admitted = admit::update(&any(), with(json!(["a", "b"])), &old).unwrap();
    assert_eq!(admitted.warnings.len(), 1);
    assert!(admitted.warnings[0].starts_with(r#"metadata.finalizers: "b": "#));
    assert!(
        admit::update_status(&any(), with(json!(["a", "b"])), &old).unwrap().warnings.is_empty()
    );
}

mod ratcheting {
    use super::*;

    /// The fields with errors after an update of the spec.
    #[track_caller]
    fn check(properties: &Value, old: &Value, new: &Value, want: &[&str]) {
        let schema = widget(&json!({"type": "object", "properties": properties}));
        let result = admit::update(&schema, object(new), &object(old));
        let found: Vec<String> = errors(&result)
            .iter()
            .map(|text| text.split_once(": ").unwrap().0.to_owned())
            .collect();
        assert_eq!(found, want);
    }

    #[test]
    fn errors_of_unchanged_values_are_ratcheted() {
        let properties = json!({"n": {"type": "integer", "maximum": 5}, "s": {"type": "string"}});
        check(&properties, &json!({"n": 9}), &json!({"n": 9, "s": "x"}), &[]);
        check(&properties, &json!({"n": 9}), &json!({"n": 8}), &["spec.n"]);
        check(&properties, &json!({}), &json!({"n": 9}), &["spec.n"]);
        check(
            &json!({"n": {"type": "number", "maximum": 5}}),
            &json!({"n": 9}),
            &json!({"n": 9.0}),
            &["spec.n"],
        );
    }

    #[test]
    fn a_missing_field_is_ratcheted_with_its_object() {
        let properties = json!({"o": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}});
        check(&properties, &json!({"o": {"b": "x"}}), &json!({"o": {"b": "x"}}), &[]);
        check(&properties, &json!({"o": {"b": "x"}}), &json!({"o": {"b": "y"}}), &["spec.o.a"]);
    }

    #[test]
    fn only_items_of_map_lists_are_correlatable() {
        let item = json!({"type": "object", "properties": {"k": {"type": "string"}, "n": {"type": "integer", "maximum": 5}, "v": {"type": "integer"}}});
        let old = json!({"l": [{"k": "a", "n": 9}, {"k": "b"}]});
        let moved = json!({"l": [{"k": "b"}, {"k": "a", "n": 9, "v": 1}]});
        let map = json!({"l": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": item}});
        check(&map, &old, &moved, &[]);
        let atomic = json!({"l": {"type": "array", "items": item}});
        check(&atomic, &old, &old, &[]);
        check(&atomic, &old, &moved, &["spec.l[1].n"]);
    }

    #[test]
    fn one_repeated_element_ratchets_all() {
        let properties = json!({"a": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
                                "b": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}});
        check(
            &properties,
            &json!({"a": ["x", "x"]}),
            &json!({"a": ["x", "x"], "b": ["y", "y"]}),
            &[],
        );
        check(
            &properties,
            &json!({"a": ["x"]}),
            &json!({"a": ["x"], "b": ["y", "y"]}),
            &["spec.b[1]"],
        );
    }

    #[test]
    fn embedded_resources_are_never_ratcheted() {
        let properties = json!({"r": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}});
        let bad = json!({"r": {"kind": "Pod"}});
        check(&properties, &bad, &bad, &["spec.r.apiVersion"]);
    }

    #[test]
    fn an_old_value_of_the_wrong_type_differs() {
        let strings = json!({"type": "object", "additionalProperties": {"type": "string"},
            "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "no change"}]});
        let list = json!({"type": "array", "items": {"type": "string"},
            "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "no change"}]});
        for (schema, new, old) in [
            (&strings, json!({"a": "x"}), json!({"a": {"b": 1}})),
            (&list, json!(["x"]), json!([[1]])),
        ] {
            let schema = widget(&json!({"type": "object", "properties": {"v": schema}}));
            let (new, old) = (object(&json!({"v": new})), object(&json!({"v": old})));
            let found = errors(&admit::update(&schema, new, &old));
            assert_eq!(found, ["spec.v: Invalid value: no change"]);
        }
    }

    #[test]
    fn a_ratcheted_element_of_the_wrong_type_can_be_counted() {
        let list = json!({"type": "array", "items": {"type": "string"}});
        let schema = widget(
            &json!({"type": "object", "properties": {"a": list, "b": list, "t": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": "size(self.a + self.b) < 3"}]}),
        );
        let with = |t: &str| object(&json!({"a": ["x"], "b": [5], "t": t}));
        assert!(admit::update(&schema, with("new"), &with("old")).is_ok());
    }

    #[test]
    fn a_rule_is_ratcheted_where_its_value_has_not_changed() {
        let schema = widget(&json!({"type": "object", "properties": {
            "o": {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}},
                  "x-kubernetes-validations": [{"rule": "self.n < 5", "message": "too much"}]},
            "t": {"type": "string"},
        }}));
        let old = object(&json!({"o": {"n": 9}}));
        let same = object(&json!({"o": {"n": 9}, "t": "x"}));
        let admitted = admit::update(&schema, same, &old).unwrap();
        assert_eq!(admitted.warnings, ["spec.o: Invalid value: too much"]);
        let changed = object(&json!({"o": {"n": 9, "s": "x"}}));
        let found = errors(&admit::update(&schema, changed, &old));
        assert_eq!(found, ["spec.o: Invalid value: too much"]);
    }

    #[test]
    fn a_status_is_compared_with_the_old_one() {
        let schema = widget_with(
            &json!({"type": "object", "properties": {
                "spec": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}},
                "status": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}, "s": {"type": "string"}}},
            }}),
            &json!({"subresources": {"status": {}}}),
        );
        let with = |status: Value| {
            let mut object = object(&json!({"n": 9}));
            object["status"] = status;
            object
        };
        let old = with(json!({"n": 9}));
        assert!(admit::update_status(&schema, with(json!({"n": 9, "s": "x"})), &old).is_ok());
        let found = errors(&admit::update_status(&schema, with(json!({"n": 8})), &old));
        assert_eq!(
            found,
            ["status.n: Invalid value: 8: n in body should be less than or equal to 5"]
        );
        let found =
            errors(&admit::update_status(&schema, with(json!({"n": 9})), &object(&json!({}))));
        assert_eq!(found.len(), 1);
    }
}

#[test]
fn keys_that_are_no_scalars_end_the_comparison_of_list_maps() {
    let list = |keys: &[&str]| {
        json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            "maxItems": 4, "items": {"type": "object", "properties": {
                "k": {"type": "string", "default": ""}, "l": {"type": "string", "default": ""},
            }},
            "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})
    };
    for keys in [&["k"][..], &["k", "l"]] {
        let result = admit::update(
            &widget(&list(keys)),
            object(&json!([{"k": "a"}])),
            &object(&json!([{"k": ["a"]}])),
        );
        assert_eq!(
            errors(&result),
            [
                "spec: Invalid value: \"array\": internal error: runtime error: hash of unhashable type \
              []interface {} evaluating rule: self == oldSelf"
            ]
        );
    }
}

#[test]
fn a_generation_wraps() {
    let with = |spec: &str| {
        let mut object = object(&json!({"text": spec}));
        object["metadata"]["generation"] = json!(i64::MAX);
        object
    };
    let schema = widget(&json!({"type": "object", "properties": {"text": {"type": "string"}}}));
    let result = admit::update(&schema, with("b"), &with("a"));
    assert_eq!(
        errors(&result),
        [
            "metadata.generation: Invalid value: -9223372036854775808: must be greater than or equal to 0",
            "metadata.generation: Invalid value: -9223372036854775808: must not be decremented",
        ]
    );
}
