//! Comparisons of small definitions.

use serde_json::{Value, json};

use super::*;
use change::{StoredEffect, Witness};
use kinds::Level;

/// A definition whose `spec` has these properties and other keywords.
fn definition(properties: &Value, keywords: &Value) -> Value {
    let mut spec = json!({"type": "object", "properties": properties});
    spec.as_object_mut().unwrap().extend(keywords.as_object().unwrap().clone());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": spec},
            }}}],
        },
    })
}

fn compared(old: Value, new: Value) -> Vec<Change> {
    let placed = |value| Placed {
        place: crate::location::FileLine { file: String::new(), line: 0 },
        value,
        source: None,
    };
    let (old, new) = (placed(old), placed(new));
    let conversion = Conversion { registered: &[], url: None };
    compare_pair((Some(&old), Some(&new)), 200, conversion).expect("a comparison").changes
}

/// Returns the changes of a field `spec.a`, without those that break nothing.
fn of_field(old: &Value, new: &Value) -> Vec<Change> {
    let side = |field: &Value| match field {
        Value::Null => definition(&json!({}), &json!({})),
        field => definition(&json!({"a": field}), &json!({})),
    };
    let mut changes = compared(side(old), side(new));
    changes.retain(|change| change.level != Level::Compatible);
    changes
}

/// Checks that a change of `spec.a` is of one kind, and that an object shows it.
#[track_caller]
fn check(id: &str, old: &Value, new: &Value) -> Witness {
    let changes = of_field(old, new);
    let ids: Vec<&str> = changes.iter().map(|change| change.kind.id).collect();
    assert_eq!(ids, [id], "{changes:#?}");
    changes.into_iter().next().and_then(|change| change.witness).expect("a witness")
}

/// Checks that an object is refused with an error.
#[track_caller]
fn refused(id: &str, old: &Value, new: &Value, message: &str) {
    let witness = check(id, old, new);
    let Witness::Refused { error, .. } = &witness else { panic!("{witness:?}") };
    assert!(error.contains(message), "{error}");
}

#[test]
fn a_removed_field_is_refused_and_lost() {
    refused("field-removed", &json!({"type": "string"}), &Value::Null, "unknown field \"spec.a\"");
    let witness = check("field-removed", &json!({"type": "string"}), &Value::Null);
    assert!(matches!(witness, Witness::Refused { stored: StoredEffect::Lost, .. }));
}

#[test]
fn every_resource_has_a_type_and_a_name() {
    let whole = |name: Value| {
        let mut crd = definition(&json!({}), &json!({}));
        let metadata = json!({"type": "object", "properties": {"name": name}});
        let text = json!({"type": "string"});
        let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        schema["properties"]["metadata"] = metadata;
        schema["properties"]["apiVersion"] = text.clone();
        schema["properties"]["kind"] = text;
        crd
    };
    let mut changes =
        compared(whole(json!({"type": "string"})), definition(&json!({}), &json!({})));
    changes.retain(|change| change.level != Level::Compatible);
    assert!(changes.is_empty(), "{changes:#?}");
    let short = whole(json!({"type": "string", "maxLength": 30}));
    let mut changes = compared(definition(&json!({}), &json!({})), short);
    changes.retain(|change| change.level != Level::Compatible);
    let [Change { kind, witness: Some(Witness::Refused { error, .. }), .. }] = &changes[..] else {
        panic!("{changes:#?}")
    };
    assert_eq!(kind.id, "bound-narrowed");
    assert!(error.starts_with("metadata.name: Too long"), "{error}");
}

#[test]
fn a_version_that_is_not_served_breaks_nobody() {
    let side = |type_: &str| {
        let mut crd = definition(&json!({}), &json!({}));
        let mut other = definition(&json!({"a": {"type": type_}}), &json!({}));
        let mut version = other["spec"]["versions"][0].take();
        version["name"] = "v2".into();
        version["served"] = false.into();
        version["storage"] = false.into();
        crd["spec"]["versions"].as_array_mut().unwrap().push(version);
        crd
    };
    let changes = compared(side("string"), side("integer"));
    let found: Vec<(&str, Level)> =
        changes.iter().map(|change| (change.kind.id, change.level)).collect();
    assert_eq!(found, [("type-changed", Level::Compatible)]);
}

#[test]
fn a_rule_may_need_a_default_that_is_gone() {
    let rule = json!({"x-kubernetes-validations": [{"rule": "self.a != 'z'"}]});
    let side = |field: Value| definition(&json!({"a": field}), &rule);
    let mut changes =
        compared(side(json!({"type": "string", "default": "x"})), side(json!({"type": "string"})));
    changes.retain(|change| change.level != Level::Compatible);
    let [Change { kind, witness: Some(Witness::Refused { error, .. }), .. }] = &changes[..] else {
        panic!("{changes:#?}")
    };
    assert_eq!(kind.id, "default-removed");
    assert!(error.contains("no such key: a"), "{error}");
}

#[test]
fn an_int_or_string_is_one_of_both_also_without_saying_so() {
    let short = json!({"x-kubernetes-int-or-string": true});
    let long = json!({
        "x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}],
    });
    assert!(of_field(&short, &long).is_empty());
    assert!(of_field(&long, &short).is_empty());
}

#[test]
fn narrower_values_are_refused() {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let with = |base: &Value, keys: Value| {
        let mut out = base.clone();
        out.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        out
    };
    let list = json!({"type": "array", "items": {"type": "string"}});
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let narrowed = "bound-narrowed";
    refused(
        narrowed,
        &number,
        &with(&number, json!({"maximum": 5})),
        "should be less than or equal to 5",
    );
    refused(
        narrowed,
        &number,
        &with(&number, json!({"minimum": 5})),
        "should be greater than or equal to 5",
    );
    let five = with(&number, json!({"maximum": 5}));
    refused(
        narrowed,
        &five,
        &with(&five, json!({"exclusiveMaximum": true})),
        "should be less than 5",
    );
    refused(narrowed, &text, &with(&text, json!({"maxLength": 3})), "may not be more than 3");
    refused(narrowed, &text, &with(&text, json!({"minLength": 30})), "at least 30");
    refused(narrowed, &list, &with(&list, json!({"maxItems": 2})), "must have at most 2 items");
    refused(narrowed, &list, &with(&list, json!({"minItems": 2})), "at least 2 items");
    refused(narrowed, &map, &with(&map, json!({"maxProperties": 1})), "at most 1");
    refused(narrowed, &map, &with(&map, json!({"minProperties": 1})), "at least 1");
    refused("pattern-added", &text, &with(&text, json!({"pattern": "^q+$"})), "should match");
    let digits = with(&text, json!({"pattern": "^[0-9]+$"}));
    refused(
        "pattern-changed",
        &digits,
        &with(&text, json!({"pattern": "^[1-9]+$"})),
        "should match",
    );
    refused("enum-added", &text, &with(&text, json!({"enum": ["x"]})), "supported values: \"x\"");
    let both = with(&text, json!({"enum": ["x", "y"]}));
    refused(
        "enum-value-removed",
        &both,
        &with(&text, json!({"enum": ["y"]})),
        "Unsupported value: \"x\"",
    );
    refused("type-changed", &text, &number, "must be of type integer");
    refused("multiple-changed", &number, &with(&number, json!({"multipleOf": 7})), "multiple of 7");
    refused(
        "format-changed",
        &text,
        &with(&text, json!({"format": "date"})),
        "must be of type date",
    );
    // The server reports these for the whole object.
    let small = with(&number, json!({"format": "int32"}));
    refused("format-changed", &number, &small, "format int32 in spec.a");
    let either = |schemas: Value| {
        json!({"type": "object", "oneOf": schemas, "properties": {
            "b": {"type": "string"}, "c": {"type": "string"},
        }})
    };
    let (one, both) = (json!({"required": ["b"]}), json!({"required": ["c"]}));
    refused(
        "junctor-changed",
        &either(json!([one])),
        &either(json!([one, both])),
        "\"spec.a\" must validate one and only one schema",
    );
}

#[test]
fn a_tighter_pattern_that_says_the_same_is_a_warning() {
    let text = |pattern: &str| json!({"type": "string", "pattern": pattern});
    let changes = of_field(&text("^[a-c]+$"), &text("^[abc]+$"));
    assert_eq!(changes.len(), 1, "{changes:#?}");
    assert_eq!((changes[0].kind.id, changes[0].level), ("pattern-changed", Level::Caution));
    assert!(changes[0].unshown.as_ref().is_some_and(|why| why.contains("NEW refuses none")));
}

#[test]
fn a_bound_that_another_keyword_implies_is_a_warning() {
    let (old, new) = (
        json!({"type": "string", "enum": ["abc"]}),
        json!({"type": "string", "enum": ["abc"], "minLength": 2}),
    );
    let changes = of_field(&old, &new);
    assert_eq!(changes.len(), 1, "{changes:#?}");
    assert_eq!((changes[0].kind.id, changes[0].level), ("bound-narrowed", Level::Caution));
}

#[test]
fn a_bound_of_what_no_value_fits_is_a_warning() {
    let closed = |least: i64| json!({"type": "object", "minProperties": least});
    let changes = of_field(&closed(1), &closed(2));
    assert_eq!(changes.len(), 1, "{changes:#?}");
    assert_eq!((changes[0].kind.id, changes[0].level), ("bound-narrowed", Level::Caution));
}

#[test]
fn what_readers_do_not_expect_appears() {
    let object = |required: Value| json!({"type": "object", "properties": {"b": {"type": "string"}}, "required": required});
    let witness = check("required-removed", &object(json!(["b"])), &object(json!([])));
    assert!(
        matches!(&witness, Witness::Appears { error, .. } if error == "spec.a.b: Required value"),
        "{witness:?}"
    );
    let witness = check(
        "enum-value-added",
        &json!({"type": "string", "enum": ["x"]}),
        &json!({"type": "string", "enum": ["x", "y"]}),
    );
    assert!(matches!(witness, Witness::Appears { .. }), "{witness:?}");
    let text = |nullable: bool| json!({"type": "string", "nullable": nullable});
    let witness = check("nullable-added", &text(false), &text(true));
    assert!(matches!(witness, Witness::Differs { .. }), "{witness:?}");
    let item = |nullable: bool| json!({"type": "array", "items": {"type": "string", "nullable": nullable}});
    let witness = check("nullable-added", &item(false), &item(true));
    assert!(matches!(witness, Witness::Appears { .. }), "{witness:?}");
}

#[test]
fn a_required_field_is_refused_only_without_a_default() {
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    let text = json!({"type": "string"});
    let defaulted = json!({"type": "string", "default": "x"});
    refused(
        "required-added",
        &object(json!({"b": text}), json!([])),
        &object(json!({"b": text}), json!(["b"])),
        "spec.a.b: Required value",
    );
    let (old, new) =
        (object(json!({"b": defaulted}), json!([])), object(json!({"b": defaulted}), json!(["b"])));
    assert_eq!(of_field(&old, &new), []);
}

#[test]
fn other_defaults_make_other_objects() {
    let text = |default: Option<&str>| match default {
        Some(default) => json!({"type": "string", "default": default}),
        None => json!({"type": "string"}),
    };
    for (id, old, new) in [
        ("default-added", None, Some("x")),
        ("default-changed", Some("x"), Some("y")),
        ("default-removed", Some("x"), None),
    ] {
        let witness = check(id, &text(old), &text(new));
        let Witness::Differs { before, after, .. } = witness else { panic!("{id}: {witness:?}") };
        assert_eq!((before.as_str(), after.as_str()), (old, new), "{id}");
    }
}

#[test]
fn a_field_that_could_hold_anything_has_a_schema() {
    let free = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let mut typed = free.clone();
    typed["properties"] = json!({"b": {"type": "integer"}});
    refused("field-specified", &free, &typed, "spec.a.b");
    let closed = json!({"type": "object", "properties": {}});
    refused("unknown-fields-dropped", &free, &closed, "unknown field \"spec.a.");
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let listed =
        json!({"type": "object", "additionalProperties": {"type": "string"}, "properties": {}});
    assert_eq!(of_field(&map, &listed), []);
}

#[test]
fn rules_are_shown_with_their_literals() {
    let field = json!({"a": {"type": "string"}, "b": {"type": "integer"}});
    let old = definition(&field, &json!({}));
    let rule = "!has(self.a) || self.a != 'secret' || has(self.b) && self.b > 41";
    let new = definition(
        &field,
        &json!({"x-kubernetes-validations": [{"rule": rule, "message": "no secret"}]}),
    );
    let changes = compared(old.clone(), new.clone());
    let added = changes.iter().find(|change| change.kind.id == "rule-added").expect("a change");
    let Some(Witness::Refused { object, error, stored, .. }) = &added.witness else {
        panic!("{added:#?}")
    };
    assert_eq!(error, "spec: Invalid value: no secret");
    assert_eq!(object["spec"]["a"], "secret");
    assert_eq!(*stored, StoredEffect::WhenTouched);
    assert!(matches!(added.cost, Some((None, Some(cost))) if cost > 0), "{:?}", added.cost);
    let gone = compared(new, old);
    assert!(gone.iter().any(|change| change.kind.id == "rule-removed"), "{gone:#?}");
    assert!(gone.iter().all(|change| change.level == Level::Compatible), "{gone:#?}");
}

#[test]
fn a_transition_rule_refuses_an_update() {
    let field = json!({"a": {"type": "string", "enum": ["x", "y"]}});
    let rule = json!({"x-kubernetes-validations": [{"rule": "self == oldSelf"}]});
    let changes = compared(definition(&field, &json!({})), definition(&field, &rule));
    let added = changes.iter().find(|change| change.kind.id == "rule-added").expect("a change");
    let Some(Witness::Refused { old: Some(old), object, .. }) = &added.witness else {
        panic!("{added:#?}")
    };
    assert_ne!(old["spec"], object["spec"]);
}

#[test]
fn new_fields_and_wider_values_break_nothing() {
    let old =
        definition(&json!({"a": {"type": "string", "maxLength": 3}}), &json!({"required": ["a"]}));
    let new = definition(
        &json!({"a": {"type": "string", "maxLength": 4, "description": "x"}, "b": {"type": "integer", "default": 1}}),
        &json!({"required": ["a"]}),
    );
    let changes = compared(old, new);
    assert!(changes.iter().all(|change| change.level == Level::Compatible), "{changes:#?}");
    let ids: Vec<&str> = changes.iter().map(|change| change.kind.id).collect();
    assert_eq!(ids, ["bound-widened", "text-changed", "field-added", "objects-compared"]);
}

#[test]
fn an_object_that_nothing_explains_is_reported() {
    let side = |crd: &Value| {
        let decoded = crate::definition::decode(crd).expect("a definition").crd;
        Side::of(&decoded, "v1").expect("a schema")
    };
    let old = side(&definition(&json!({"a": {"type": "string"}}), &json!({})));
    let new = side(&definition(&json!({"a": {"type": "string", "maxLength": 2}}), &json!({})));
    let mut changes = Vec::new();
    objects::compare(&old, &new, "f", 200, &mut changes).expect("threads");
    let ids: Vec<&str> = changes.iter().map(|change| change.kind.id).collect();
    assert_eq!(ids, ["object-refused", "objects-compared"]);
}

#[test]
fn versions_names_and_subresources_matter_for_clients() {
    let mut old = definition(&json!({}), &json!({}));
    let mut new = old.clone();
    old["spec"]["names"]["shortNames"] = json!(["th"]);
    old["spec"]["versions"][0]["subresources"] =
        json!({"scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"}});
    old["spec"]["versions"][0]["additionalPrinterColumns"] =
        json!([{"name": "A", "type": "string", "jsonPath": ".spec.a"}]);
    new["spec"]["scope"] = json!("Cluster");
    let changes = compared(old, new);
    let ids: Vec<&str> = changes.iter().map(|change| change.kind.id).collect();
    assert_eq!(
        ids,
        ["scope-changed", "name-changed", "subresource-removed", "column-changed"],
        "{changes:#?}"
    );
    assert!(
        matches!(&changes[0].witness, Some(Witness::Definition { error }) if error.contains("field is immutable"))
    );
}

#[test]
fn a_stored_version_must_not_go() {
    let mut old = definition(&json!({}), &json!({}));
    let mut new = old.clone();
    old["status"] = json!({"storedVersions": ["v1"], "conditions": [], "acceptedNames": {"plural": "things", "kind": "Thing"}});
    new["spec"]["versions"][0]["name"] = json!("v2");
    let changes = compared(old, new);
    let ids: Vec<&str> = changes.iter().map(|change| change.kind.id).collect();
    let stored = changes.iter().find(|change| change.kind.id == "stored-version-removed");
    let witness = stored.and_then(|change| change.witness.as_ref());
    assert!(matches!(witness, Some(Witness::Definition { .. })), "{changes:#?}");
    assert!(
        ids.starts_with(&["version-removed", "stored-version-removed", "version-added"]),
        "{ids:?}"
    );
}

#[test]
fn new_differences_between_served_versions_are_found_in_both_directions() {
    let with = |fields: [Value; 2]| {
        let mut crd = definition(&fields[0], &json!({}));
        let mut second = crd["spec"]["versions"][0].clone();
        second["name"] = json!("v2");
        second["storage"] = json!(false);
        second["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] = fields[1].clone();
        crd["spec"]["versions"].as_array_mut().unwrap().push(second);
        crd
    };
    let (a, both) = (
        json!({"a": {"type": "string"}}),
        json!({"a": {"type": "string"}, "b": {"type": "string"}}),
    );
    let changes = compared(with([a.clone(), a.clone()]), with([a.clone(), both.clone()]));
    let served: Vec<(&str, &str)> = changes
        .iter()
        .filter(|change| change.version.contains("->"))
        .map(|change| (change.version.as_str(), change.kind.id))
        .collect();
    assert_eq!(served, [("v2 -> v1", "field-removed")]);
    // What OLD had already is not reported again.
    let known = compared(with([a.clone(), both.clone()]), with([a, both]));
    assert!(known.iter().all(|change| !change.version.contains("->")), "{known:#?}");
}

/// The table of the guide has all kinds of changes.
#[test]
fn the_guide_lists_all_kinds() {
    let page = include_str!("../../../../docs/guide/src/diff.md");
    let rows = kinds::ALL.iter().map(|kind| {
        let error = match kind.level {
            Level::Certain => "yes",
            Level::Likely => "likely",
            Level::Undecided => "if shown",
            Level::Caution => "warning",
            Level::Compatible => "no",
        };
        let grades: Vec<&str> = kind.grades.iter().map(Audience::name).collect();
        format!("| `{}` | {} | {error} | {} |\n", kind.id, kind.summary, grades.join(", "))
    });
    let table: String = rows.collect();
    assert!(page.contains(&table), "write this table to docs/guide/src/diff.md:\n{table}");
}
