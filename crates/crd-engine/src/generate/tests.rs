//! The values that are generated.

use std::collections::BTreeSet;

use super::*;

fn schema(of: Value) -> JsonSchemaProps {
    serde_json::from_value(of).expect("a schema")
}

/// The values that are generated for a schema.
fn values(of: Value) -> BTreeSet<String> {
    let (schema, mut random) = (schema(of), Random::new(0));
    (0..500).map(|_| value(&mut random, &schema, &Options::default(), 0).to_string()).collect()
}

#[test]
fn numbers_between_two_are_often_near_the_first_or_the_last() {
    let mut random = Random::new(0);
    let mut near = [0; 3];
    for _ in 0..1_000 {
        match random.between(10, 1_010) {
            10..22 => near[0] += 1,
            1_010 => near[1] += 1,
            22..1_010 => near[2] += 1,
            other => panic!("{other}"),
        }
    }
    assert!(near.iter().all(|count| *count > 200), "{near:?}");
    let all: BTreeSet<i64> = (0..200).map(|_| random.between(-1, 2)).collect();
    assert_eq!(all, (-1..=2).collect());
    let ends: BTreeSet<i64> = (0..20).map(|_| random.between(i64::MIN, i64::MAX)).collect();
    assert!(ends.contains(&i64::MIN) && ends.contains(&i64::MAX), "{ends:?}");
}

#[test]
fn integers_are_within_their_bounds() {
    #[track_caller]
    fn check(keys: Value, least: i64, most: i64) {
        let (schema, mut random) = (schema(keys), Random::new(0));
        let all: BTreeSet<i64> =
            (0..500).map(|_| integer(&mut random, &schema, &Options::default())).collect();
        assert_eq!((all.first(), all.last()), (Some(&least), Some(&most)), "{schema:?}");
    }
    check(json!({}), i64::MIN, i64::MAX);
    check(json!({"format": "int32"}), i32::MIN.into(), i32::MAX.into());
    check(json!({"format": "int32", "minimum": 2.5, "maximum": 7.5}), 3, 7);
    check(json!({"minimum": 2, "exclusiveMinimum": true}), 3, 1_002);
    check(json!({"maximum": 2, "exclusiveMaximum": true}), -998, 1);
    check(json!({"minimum": 3, "maximum": 11, "multipleOf": 4}), 0, 8);
    check(json!({"minimum": 3, "maximum": 11, "multipleOf": 1}), 3, 11);
    check(json!({"minimum": 3, "maximum": 11, "multipleOf": 0.5}), 3, 11);
}

#[test]
fn texts_are_within_their_bounds() {
    let options = Options { texts: vec!["sample".to_owned()], ..Options::default() };
    let all = |keys: Value| -> BTreeSet<String> {
        let (schema, mut random) = (schema(keys), Random::new(0));
        (0..500).map(|_| string(&mut random, &schema, &options)).collect()
    };
    let matching = all(json!({"pattern": "^[ab]$"}));
    assert_eq!(matching, ["a", "b", "sample"].map(str::to_owned).into());
    let any = all(json!({}));
    assert!(any.contains("sample") && TEXTS.iter().all(|text| any.contains(*text)), "{any:?}");
    let of_three = all(json!({"minLength": 3, "maxLength": 3}));
    assert!(of_three.iter().all(|text| text.chars().count() == 3), "{of_three:?}");
    assert!(of_three.contains("axx") && of_three.contains("exa"), "{of_three:?}");
    assert_eq!(all(json!({"format": "date"})).len(), 2);
}

#[test]
fn values_have_every_allowed_type() {
    let some = |of: Value, has: &dyn Fn(&str) -> bool| values(of).iter().any(|v| has(v));
    assert!(some(json!({"type": "integer", "nullable": true}), &|text| text == "null"));
    assert!(!some(json!({"type": "integer"}), &|text| text == "null"));
    let both = json!({"x-kubernetes-int-or-string": true, "minimum": 1, "maximum": 2});
    assert!(some(both.clone(), &|text| text.starts_with('"')));
    assert!(some(both, &|text| text == "2"));
    let number = json!({"type": "number", "minimum": 1, "maximum": 2});
    assert_eq!(Vec::from_iter(values(number)), ["1", "1.5", "2", "2.5"]);
    assert_eq!(Vec::from_iter(values(json!({"type": "boolean"}))), ["false", "true"]);
    assert_eq!(Vec::from_iter(values(json!({"enum": [1, "a"]}))), ["\"a\"", "1"]);
    let untyped = values(json!({}));
    assert_eq!(untyped.len(), 4, "{untyped:?}");
}

#[test]
fn lists_and_objects_have_the_bounded_size() {
    let sizes = |keys: Value| -> BTreeSet<usize> {
        let (schema, mut random) = (schema(keys), Random::new(0));
        let size = |value: Value| match value {
            Value::Array(items) => items.len(),
            Value::Object(map) => map.len(),
            other => panic!("{other}"),
        };
        (0..200).map(|_| size(value(&mut random, &schema, &Options::default(), 0))).collect()
    };
    let items = json!({"type": "boolean"});
    let list = json!({"type": "array", "items": items});
    assert_eq!(sizes(list), (0..=4).collect());
    let list = json!({"type": "array", "items": items, "minItems": 2, "maxItems": 3});
    assert_eq!(sizes(list), (2..=3).collect());
    let map = json!({"type": "object", "additionalProperties": items, "minProperties": 1});
    assert_eq!(sizes(map), (1..=4).collect());
    let map = json!({
        "type": "object", "additionalProperties": items, "minProperties": 1,
        "maxProperties": 9,
    });
    assert_eq!(sizes(map), (1..=5).collect());
    let object = json!({
        "type": "object", "required": ["a"], "properties": {"a": items, "b": items},
    });
    assert_eq!(sizes(object), (1..=2).collect());
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(sizes(any), (0..=1).collect());
    let closed = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": false});
    assert_eq!(sizes(closed), (0..=0).collect());
}

#[test]
fn values_end_at_the_depth() {
    let mut nested = json!({"type": "boolean"});
    for _ in 0..20 {
        nested = json!({"type": "array", "minItems": 1, "items": nested});
    }
    let text = value(&mut Random::new(0), &schema(nested), &Options::default(), 0).to_string();
    let depth = usize::try_from(DEPTH).expect("a depth");
    assert!(text.starts_with(&"[".repeat(depth + 1)) && text.contains("[]"), "{text}");
    assert!(!text.contains(&"[".repeat(depth + 2)), "{text}");
    let leaf = json!({"type": "object", "additionalProperties": {"type": "boolean"}});
    let at = |depth| values_at(&leaf, depth);
    assert!(at(DEPTH - 1).len() > 1);
    assert_eq!(at(DEPTH), BTreeSet::from(["{}".to_owned()]));
    let optional = json!({"type": "object", "properties": {"a": {"type": "boolean"}}});
    assert_eq!(values_at(&optional, DEPTH), BTreeSet::from(["{}".to_owned()]));
}

#[test]
fn objects_end_at_the_depth() {
    let (mut optional, mut maps) = (json!({"type": "boolean"}), json!({"type": "boolean"}));
    for _ in 0..20 {
        optional = json!({"type": "object", "properties": {"a": optional}});
        maps = json!({"type": "object", "minProperties": 1, "maxProperties": 2, "additionalProperties": maps});
    }
    let depth = usize::try_from(DEPTH).expect("a depth");
    for of in [optional, maps] {
        let (schema, mut random) = (schema(of), Random::new(0));
        let deepest = (0..300).map(|_| {
            let text = value(&mut random, &schema, &Options::default(), 0).to_string();
            text.len() - text.trim_end_matches('}').len()
        });
        assert_eq!(deepest.max(), Some(depth + 1), "{schema:?}");
    }
}

/// The depth of a replaced part is counted from the root of the object, not from the part.
#[test]
fn replaced_parts_end_at_the_depth() {
    let part = json!({"type": "object", "properties": {"b": {"type": "boolean"}}});
    let object = schema(json!({"type": "object", "properties": {"a": part}}));
    let list = schema(json!({"type": "array", "items": part}));
    let mut random = Random::new(0);
    for _ in 0..100 {
        let new = edited(&mut random, &object, &Options::default(), &json!({"s": 1}), DEPTH - 1);
        assert!(new["s"].is_null() || new["a"] == json!({}), "{new}");
        let new =
            edited(&mut random, &object, &Options::default(), &json!({"a": {"s": 1}}), DEPTH - 1);
        assert!(new["a"]["s"] == 1 || new["a"].get("b").is_none(), "{new}");
        let new = edited(&mut random, &list, &Options::default(), &json!([{"s": 1}]), DEPTH - 1);
        assert!(new[0]["s"] == 1 || new[0].get("b").is_none(), "{new}");
        edited(&mut random, &object, &Options::default(), &json!({"s": 1}), 0);
        edited(&mut random, &list, &Options::default(), &json!([{"s": 1}]), 0);
        let empty = schema(json!({"type": "object", "properties": {}}));
        assert!(edited(&mut random, &empty, &Options::default(), &json!({"s": 1}), 0).is_object());
    }
}

fn values_at(of: &Value, depth: u32) -> BTreeSet<String> {
    let (schema, mut random) = (schema(of.clone()), Random::new(0));
    (0..50).map(|_| value(&mut random, &schema, &Options::default(), depth).to_string()).collect()
}

#[test]
fn one_part_of_a_sample_is_replaced() {
    let schema = schema(json!({"type": "object", "properties": {
        "a": {"type": "integer"}, "l": {"type": "array", "items": {"type": "integer"}},
    }}));
    let sample = json!({"a": 7, "l": [1, 2, 3], "unknown": 8});
    let mut random = Random::new(0);
    let (mut same, mut items, mut other) = (0, 0, 0);
    for _ in 0..500 {
        let value = edited(&mut random, &schema, &Options::default(), &sample, 0);
        if value["unknown"] == 8 {
            same += 1;
            let changed = value["a"] != 7;
            let list = value["l"].as_array().expect("a list");
            let replaced =
                list.len() == 3 && (0..3).filter(|at| list[*at] != sample["l"][*at]).count() == 1;
            items += usize::from(replaced);
            assert!(!changed || value["l"] == sample["l"], "{value}");
        } else {
            other += 1;
        }
    }
    assert!(same > 300 && items > 50 && other > 80, "{same} {items} {other}");
    let none = edited(&mut random, &schema, &Options::default(), &json!({}), 0);
    assert!(none.is_object(), "{none}");
    let empty = json!({"type": "array", "items": {"type": "integer"}, "minItems": 1});
    let empty: JsonSchemaProps = serde_json::from_value(empty).expect("a schema");
    assert_ne!(edited(&mut random, &empty, &Options::default(), &json!([]), 0), json!([]));
}
