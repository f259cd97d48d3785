//! Tests of the results of applies.

use super::super::last_applied::{KUBECTL, LAST_APPLIED};
use super::*;
use crate::json;

fn schema() -> JsonSchemaProps {
    serde_json::from_value(json!({"type": "object", "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "a": {"type": "integer"},
                "b": {"type": "integer"},
                "atomic": {"type": "object", "x-kubernetes-map-type": "atomic"},
                "list": {"type": "array", "items": {"type": "integer"}},
                "set": {
                    "type": "array", "x-kubernetes-list-type": "set",
                    "items": {"type": "integer"},
                },
                "map": {
                    "type": "array", "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["k"],
                    "items": {"type": "object", "properties": {
                        "k": {"type": "string"}, "v": {"type": "integer"},
                        "w": {"type": "integer"},
                    }},
                },
                "part": {"type": "object", "properties": {"x": {"type": "integer"}}},
                "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
            },
        },
        "status": {"type": "object", "properties": {"s": {"type": "integer"}}},
    }}))
    .expect("a schema")
}

const VERSION: &str = "example.com/v1";
const ALIKE: &str = "example.com/v1beta1";

fn object(spec: &Value) -> Value {
    json!({"apiVersion": VERSION, "kind": "A", "metadata": {"name": "x"}, "spec": spec})
}

/// Returns an object whose owners have applied their fields, except for `kim`, who has updated them.
fn live(spec: &Value, owners: &[(&str, Value)]) -> Value {
    let mut live = object(spec);
    let entries = owners.iter().map(|(name, fields)| {
        json!({
            "manager": name, "operation": if *name == "kim" { "Update" } else { "Apply" },
            "apiVersion": VERSION, "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": fields},
        })
    });
    live["metadata"]["managedFields"] = entries.collect();
    live
}

/// Applies a configuration as `me`. Returns the new spec, or the message about conflicts.
fn apply(live: &Value, config: &Value, force: bool) -> Result<Value, String> {
    apply_on(KubernetesVersion::REFERENCE, live, config, force)
}

fn apply_on(
    kubernetes: KubernetesVersion,
    live: &Value,
    config: &Value,
    force: bool,
) -> Result<Value, String> {
    let (schema, config) = (schema(), object(config));
    let request = ApplyRequest {
        schema: &schema,
        kubernetes,
        config: &config,
        manager: "me",
        force,
        subresource: "",
        equivalent_versions: &[ALIKE.to_owned()],
        reset: &["status"],
    };
    match simulate(&request, Some(live)) {
        SimulatedApply::Applied(object) => Ok(object["spec"].clone()),
        SimulatedApply::Conflicts(conflicts) => Err(Conflict::message(&conflicts)),
        SimulatedApply::Unknown => Err("unknown".to_owned()),
    }
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "values are written with `json!`")]
fn check(spec: Value, owners: &[(&str, Value)], config: Value, want: Value) {
    assert_eq!(apply(&live(&spec, owners), &config, false), Ok(want));
}

#[test]
fn fields_are_added_changed_and_given_up() {
    let spec = json!({"a": 1, "b": 2, "sizes": {"c": 3}});
    let mine = ("me", json!({"f:a": {}, "f:sizes": {"f:c": {}}}));
    check(spec.clone(), &[], json!({}), spec.clone());
    check(spec.clone(), std::slice::from_ref(&mine), json!({"a": 5}), json!({"a": 5, "b": 2}));
    check(spec, &[mine], json!({"part": {"x": 1}}), json!({"b": 2, "part": {"x": 1}}));
}

#[test]
fn fields_with_other_owners_are_kept() {
    let spec = json!({"a": 1, "b": 2, "part": {"x": 1}, "set": [1, 2], "map": [{"k": "a", "v": 1, "w": 2}]});
    let of_map = |field: &str| json!({"k:{\"k\":\"a\"}": {".": {}, "f:k": {}, field: {}}});
    let mine = json!({
        "f:a": {}, "f:b": {}, "f:part": {"f:x": {}}, "f:set": {"v:1": {}, "v:2": {}}, "f:map": of_map("f:v"),
    });
    let theirs = json!({"f:a": {}, "f:set": {"v:2": {}}, "f:map": of_map("f:w")});
    let kims = json!({"f:part": {"f:x": {}}});
    check(
        spec,
        &[("me", mine), ("you", theirs), ("kim", kims)],
        json!({}),
        json!({"a": 1, "part": {"x": 1}, "set": [2], "map": [{"k": "a", "w": 2}]}),
    );
}

#[test]
fn an_emptied_map_is_null_except_on_one_minor() {
    let spec = json!({"b": 2, "sizes": {"c": 3}, "set": [1], "map": [{"k": "a", "v": 1}]});
    let config = json!({"sizes": {}, "set": [], "map": []});
    let mine = json!({
        ".": {}, "f:sizes": {"f:c": {}}, "f:set": {"v:1": {}},
        "f:map": {"k:{\"k\":\"a\"}": {".": {}, "f:k": {}, "f:v": {}}},
    });
    let live = live(&spec, &[("me", mine), ("you", json!({"f:b": {}}))]);
    for kubernetes in KubernetesVersion::ALL {
        let want = if kubernetes.minor() == 36 {
            json!({"b": 2, "sizes": {}})
        } else {
            json!({"b": 2, "sizes": null})
        };
        assert_eq!(
            apply_on(kubernetes, &live, &config, false),
            Ok(want),
            "Kubernetes {kubernetes}"
        );
    }
}

#[test]
fn atomic_values_are_replaced() {
    let spec = json!({"atomic": {"x": 1}, "list": [1]});
    let new = json!({"atomic": {"y": 1}, "list": [2]});
    check(spec, &[("me", json!({"f:atomic": {}, "f:list": {}}))], new.clone(), new);
}

#[test]
fn items_of_both_keep_the_order_of_the_configuration() {
    let kims = ("kim", json!({"f:set": {"v:9": {}}}));
    check(
        json!({"set": [1, 9, 2, 8, 3]}),
        &[kims],
        json!({"set": [3, 4, 1]}),
        json!({"set": [9, 2, 8, 3, 4, 1]}),
    );
}

#[test]
fn fields_of_others_are_conflicts_where_their_values_change() {
    let yours = json!({"f:a": {}, "f:b": {}, "f:map": {"k:{\"k\":\"a\"}": {".": {}, "f:k": {}, "f:v": {}}}});
    let spec = json!({"a": 1, "b": 2, "map": [{"k": "a", "v": 1}]});
    let one = live(&spec, &[("you", yours.clone())]);
    let same = apply(&one, &json!({"a": 1, "map": [{"k": "a", "w": 1}]}), false);
    assert_eq!(same, Ok(json!({"a": 1, "b": 2, "map": [{"k": "a", "v": 1, "w": 1}]})));
    let a = json!({"a": 2});
    assert_eq!(
        apply(&one, &a, false).expect_err("a conflict"),
        "Apply failed with 1 conflict: conflict with \"you\": .spec.a"
    );
    assert_eq!(apply(&one, &a, true).expect("forced")["a"], 2);

    let two = live(&spec, &[("you", yours), ("kim", json!({"f:a": {}}))]);
    assert_eq!(
        apply(&two, &json!({"a": 2, "map": [{"k": "a", "v": 2}]}), false).expect_err("conflicts"),
        "Apply failed with 3 conflicts: conflicts with \"kim\" using example.com/v1:\n- .spec.a\n\
         conflicts with \"you\":\n- .spec.a\n- .spec.map[k=\"a\"].v"
    );
}

#[test]
fn fields_of_an_object_without_managers_belong_to_before_first_apply() {
    let mut live = object(&json!({"a": 1}));
    live["status"] = json!({"s": 1});
    let error = apply(&live, &json!({"a": 2}), false).expect_err("a conflict");
    let want = "Apply failed with 1 conflict: conflict with \"before-first-apply\" using \
                example.com/v1: .spec.a";
    assert_eq!(error, want);
    assert!(apply(&live, &json!({"b": 2}), false).is_ok());
}

#[test]
fn owners_of_parts_own_a_value_that_became_atomic() {
    let yours = json!({"f:atomic": {".": {}, "f:x": {}}, "f:list": {"v:1": {}}});
    let live = live(&json!({"atomic": {"x": 1, "y": 1}, "list": [1]}), &[("you", yours)]);
    let error = apply(&live, &json!({"atomic": {"x": 1}, "list": []}), false);
    assert_eq!(
        error.expect_err("conflicts"),
        "Apply failed with 2 conflicts: conflicts with \"you\":\n- .spec.atomic\n- .spec.list"
    );
}

#[test]
fn versions_with_equal_schemas_share_owners() {
    let mine = ("me", json!({"f:a": {}, "f:b": {}}));
    let mut live = live(&json!({"a": 1, "b": 2}), &[mine, ("kim", json!({"f:a": {}}))]);
    for entry in live["metadata"]["managedFields"].as_array_mut().expect("entries") {
        entry["apiVersion"] = ALIKE.into();
    }
    assert_eq!(apply(&live, &json!({}), false), Ok(json!({"a": 1})));
    let error = apply(&live, &json!({"a": 2}), false).expect_err("a conflict");
    let want = "Apply failed with 1 conflict: conflict with \"kim\" using \
                example.com/v1beta1: .spec.a";
    assert_eq!(error, want);
}

#[test]
fn kubectl_takes_over_what_it_applied_before() {
    let request = |config: &Value, live: &Value| {
        let schema = schema();
        let request = ApplyRequest {
            schema: &schema,
            kubernetes: KubernetesVersion::REFERENCE,
            config,
            manager: KUBECTL,
            force: false,
            subresource: "",
            equivalent_versions: &[],
            reset: &[],
        };
        simulate(&request, Some(live))
    };
    let last = object(&json!({"a": 1, "b": 2}));
    // `b` has been changed since.
    let owner = ("kim", json!({"f:a": {}, "f:b": {}}));
    let mut live = live(&json!({"a": 1, "b": 3}), &[owner]);
    live["metadata"]["annotations"][LAST_APPLIED] = last.to_string().into();
    let config = object(&json!({"a": 5}));
    let SimulatedApply::Applied(new) = request(&config, &live) else { panic!("is not applied") };
    assert_eq!(new["spec"], json!({"a": 5, "b": 3}));
    let kept = new["metadata"]["annotations"][LAST_APPLIED].as_str().expect("is kept");
    assert_eq!(kept, format!("{}\n", json::to_go_string(&config)));
    let config = object(&json!({"a": 5, "b": 5}));
    let SimulatedApply::Conflicts(conflicts) = request(&config, &live) else {
        panic!("a conflict")
    };
    let fields: Vec<_> = conflicts.iter().map(|conflict| &*conflict.field).collect();
    assert_eq!(fields, [".spec.b"]);
    // The fields that it has applied in another version are ignored.
    let mut other = last;
    other["apiVersion"] = ALIKE.into();
    live["metadata"]["annotations"][LAST_APPLIED] = other.to_string().into();
    let SimulatedApply::Conflicts(conflicts) = request(&config, &live) else { panic!("conflicts") };
    assert_eq!(conflicts.len(), 2);
}

#[test]
fn cases_that_only_the_server_can_decide_are_unknown() {
    let unknown = |live: &Value, config: &Value| {
        assert_eq!(apply(live, config, false), Err("unknown".to_owned()), "{live} {config}");
    };
    let plain = live(&json!({"a": 1}), &[("you", json!({"f:a": {}}))]);
    unknown(&plain, &json!({"set": [1, 1]}));
    unknown(&plain, &json!({"map": [{"v": 1}]}));
    unknown(&live(&json!({"a": "of another schema"}), &[]), &json!({"b": 1}));
    let mut other = plain.clone();
    other["metadata"]["managedFields"][0]["apiVersion"] = "example.com/v2".into();
    unknown(&other, &json!({"b": 1}));
    let mut garbled = plain;
    garbled["metadata"]["managedFields"][0]["fieldsV1"] = json!({"no": {}});
    unknown(&garbled, &json!({"b": 1}));
}

/// Applies a status, with a configuration that also changes `spec.a` and the label `l`. Returns the conflicts.
fn conflicts_of_status(minor: &str, live: &Value) -> Vec<String> {
    let kubernetes: KubernetesVersion = minor.parse().expect("a minor");
    let mut config = object(&json!({"a": 2}));
    config["metadata"]["labels"] = json!({"l": "new"});
    config["status"] = json!({"s": 1});
    let request = ApplyRequest {
        schema: &schema(),
        kubernetes,
        config: &config,
        manager: "me",
        force: false,
        subresource: "status",
        equivalent_versions: &[ALIKE.to_owned()],
        reset: reset_by_status(kubernetes),
    };
    match simulate(&request, Some(live)) {
        SimulatedApply::Applied(_) => Vec::new(),
        SimulatedApply::Conflicts(conflicts) => {
            conflicts.into_iter().map(|one| format!("{} {}", one.manager.name, one.field)).collect()
        }
        SimulatedApply::Unknown => panic!("unknown"),
    }
}

#[test]
fn statuses_conflict_over_metadata_before_1_36() {
    let mut live = object(&json!({"a": 1}));
    live["metadata"]["labels"] = json!({"l": "old"});
    for minor in ["1.30", "1.35"] {
        assert_eq!(
            conflicts_of_status(minor, &live),
            ["before-first-apply .metadata.labels.l"],
            "{minor}"
        );
    }
    for minor in ["1.36", "1.37"] {
        assert!(conflicts_of_status(minor, &live).is_empty(), "{minor}");
    }
}

#[test]
fn statuses_conflict_over_the_spec_of_other_versions_before_1_35() {
    let mut live = live(&json!({"a": 1}), &[("kim", json!({"f:a": {}}))]);
    for minor in ["1.34", "1.35"] {
        assert!(conflicts_of_status(minor, &live).is_empty(), "{minor}");
    }
    live["metadata"]["managedFields"][0]["apiVersion"] = ALIKE.into();
    assert_eq!(conflicts_of_status("1.34", &live), ["kim .spec.a"]);
    for minor in ["1.35", "1.36", "1.37"] {
        assert!(conflicts_of_status(minor, &live).is_empty(), "{minor}");
    }
}
