//! Nulls and defaults.

use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use serde_json::{Value, json};

use super::support::{definition, object, outcome, widget};

#[track_caller]
fn check(properties: &Value, spec: &Value, want: &Value) {
    let schema = widget(&json!({"type": "object", "properties": properties}));
    assert_eq!(outcome(admit::create(&schema, object(spec))).0["spec"], *want);
}

#[test]
fn nulls_give_way_or_stay() {
    let properties = json!({
        "foo": {"type": "string", "default": "default"},
        "bar": {"type": "string", "nullable": true},
        "baz": {"type": "string"},
        "both": {"type": "string", "nullable": true, "default": "x"},
    });
    check(
        &properties,
        &json!({"foo": null, "bar": null, "baz": null, "both": null}),
        &json!({"foo": "default", "bar": null, "both": null}),
    );
    check(&properties, &json!({}), &json!({"foo": "default", "both": "x"}));
}

#[test]
fn nulls_of_maps_and_lists() {
    let properties = json!({
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "filled": {"type": "object", "additionalProperties": {"type": "string", "default": "x"}},
        "any": {"type": "object", "additionalProperties": true},
        "list": {"type": "array", "items": {"type": "string"}},
        "items": {"type": "array", "items": {"type": "string", "default": "y"}},
    });
    let nulls = json!({"a": null});
    check(
        &properties,
        &json!({"map": nulls, "filled": nulls, "any": nulls, "list": [null], "items": [null, "z"]}),
        &json!({"map": {}, "filled": {"a": "x"}, "any": nulls, "list": [null], "items": ["y", "z"]}),
    );
}

#[test]
fn defaults_are_themselves_completed() {
    let properties = json!({
        "a": {"type": "object", "default": {}, "properties": {"b": {"type": "object", "default": {"c": 1}, "properties": {
            "c": {"type": "integer"}, "d": {"type": "integer", "default": 2},
        }}}},
        "missing": {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}},
    });
    check(&properties, &json!({}), &json!({"a": {"b": {"c": 1, "d": 2}}}));
    check(
        &properties,
        &json!({"a": {"b": {}}, "missing": {}}),
        &json!({"a": {"b": {"d": 2}}, "missing": {"x": 1}}),
    );
}

#[test]
fn values_of_another_type_are_left_alone() {
    let properties =
        json!({"a": {"type": "object", "properties": {"b": {"type": "integer", "default": 1}}}});
    check(&properties, &json!({"a": [1]}), &json!({"a": [1]}));
    check(&properties, &json!({"a": "x"}), &json!({"a": "x"}));
}

#[test]
fn reading_drops_nulls_of_defaults_unless_all_unknown_fields_are_kept() {
    let root = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "a": {"type": "object", "properties": {"b": {"type": "string"}}, "default": {"b": null}},
    }}}});
    for (preserves, want) in [(false, json!({})), (true, json!({"b": null}))] {
        let mut definition = definition(&root, &json!({}), "Namespaced");
        definition.spec.preserve_unknown_fields = preserves;
        let schema = CompiledSchema::for_version(&definition, "v1").unwrap();
        let read = admit::read(&schema, object(&json!({}))).unwrap();
        assert_eq!(read["spec"]["a"], want, "{preserves}");
    }
}
