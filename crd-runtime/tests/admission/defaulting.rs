//! Nulls and defaults.

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::{CrdSchema, CustomResource, admit};
use serde::{Deserialize, Serialize};
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

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(pattern = "^[a-z]([-a-z0-9]*[a-z0-9])?$")]
struct Name(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self % 2 == 0"))]
struct Even(i32);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self < 100"))]
struct FewAndEven(Even);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Page {
    name: Name,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Site", namespaced, test = false)]
struct SiteSpec {
    #[crd(default = "Web")]
    name: Name,
    #[crd(default = 3)]
    even: Even,
    #[crd(default = 5)]
    few: FewAndEven,
    #[crd(default = 102)]
    many: FewAndEven,
    #[crd(default = ["a", "-"])]
    names: Vec<Name>,
    #[crd(default = json!({"name": "A"}))]
    page: Page,
    #[crd(default = "web-0")]
    fine: Name,
}

/// rustc does not run the patterns and rules of another type on a literal.
#[test]
fn defaults_that_the_pattern_or_rule_of_another_type_rejects() {
    let errors = crd_runtime::definition::validate(&Site::definition());
    let found: Vec<String> = errors
        .iter()
        .filter_map(|error| {
            let (_, place) = error.field.split_once("properties[spec].properties")?;
            Some(format!("{place} {}", error.detail))
        })
        .collect();
    let pattern = "should match '^[a-z]([-a-z0-9]*[a-z0-9])?$'";
    let wants = [
        ("[name].default", pattern),
        ("[even].default", "failed rule: self % 2 == 0"),
        ("[few].default", "failed rule: self % 2 == 0"),
        ("[many].default", "failed rule: self < 100"),
        ("[names].default.[1]", pattern),
        ("[page].default.name", pattern),
    ];
    for (place, text) in wants {
        let has = |found: &&String| found.starts_with(place) && found.contains(text);
        assert_eq!(found.iter().filter(has).count(), 1, "{place}: {found:#?}");
    }
    assert_eq!(found.len(), wants.len(), "{found:#?}");
}
