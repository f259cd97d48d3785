//! Writes and definitions that grow in one dimension each: what the benchmark `scaling` times, and what
//! `cargo dev instructions` counts at two sizes.

use std::hint::black_box;

use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::definition;
use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Map, Value, json};

use crate::corpus::compile;
use crate::made::{self, RECORD, merge, record_schema, records};

/// A call whose input grows in one dimension.
#[derive(Debug, Clone, Copy)]
pub struct Series {
    /// What is done, and often what grows. If the name ends with `bytes`, the sizes are in bytes, and
    /// `cargo dev instructions` also limits the instructions for each byte.
    pub name: &'static str,
    /// The sizes at which it is measured, in ascending order.
    pub sizes: &'static [usize],
    /// Prepares an input of a size, and returns the call to measure.
    pub make: fn(usize) -> Box<dyn FnMut()>,
}

impl Series {
    /// Two sizes in the middle, for a program that counts instructions, which is slow. The first is large enough that
    /// fixed costs do not matter, and the second is about four times as large, or twice for levels of a schema.
    #[must_use]
    pub fn two_sizes(&self) -> [usize; 2] {
        let first = (self.sizes.len() - 1) / 2;
        [self.sizes[first], self.sizes[first + 1]]
    }
}

const SIZES: &[usize] = &[1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 3_000_000];
const LENGTHS: &[usize] = &[10, 40, 160, 640, 2_500, 10_000, 40_000];
const FIELDS: &[usize] = &[10, 40, 160, 640, 2_500];
/// Schemas nest at most 64 levels, and serde_json reads at most 128 levels of JSON, of which a level of a schema
/// takes two.
const DEPTHS: &[usize] = &[4, 8, 16, 32, 48];
/// A document nests at most [`crd_runtime::json::MAX_DEPTH`] levels.
const OBJECT_DEPTHS: &[usize] = &[8, 30, 120, 480];

/// All series.
#[must_use]
pub fn all() -> Vec<Series> {
    fn series(
        name: &'static str,
        sizes: &'static [usize],
        make: fn(usize) -> Box<dyn FnMut()>,
    ) -> Series {
        Series { name, sizes, make }
    }
    vec![
        series("the floor: from_slice, bytes", SIZES, |bytes| {
            let body = body(&records(bytes / RECORD));
            Box::new(move || {
                black_box(serde_json::from_slice::<Value>(black_box(&body)).ok());
            })
        }),
        series("create, bytes of the object", SIZES, |bytes| {
            create(&record_schema(&json!({})), &records(bytes / RECORD), true)
        }),
        series("create, all unknown, bytes", SIZES, |bytes| {
            create(&json!({"type": "object"}), &records(bytes / RECORD), true)
        }),
        series("create, preserved unknown, bytes", SIZES, |bytes| {
            let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
            create(&schema, &records(bytes / RECORD), true)
        }),
        series("create, every record invalid, bytes", SIZES, |bytes| {
            let mut schema = record_schema(&json!({}));
            schema["properties"]["records"]["items"]["properties"]["weight"]["maximum"] = json!(-1);
            create(&schema, &records(bytes / RECORD), false)
        }),
        series(
            "create, every record has an unknown field",
            &[10, 40, 160, 640, 2_500, 10_000],
            |length| {
                let mut object = records(length);
                for record in object["records"].as_array_mut().into_iter().flatten() {
                    record["stray"] = json!(true);
                }
                create(&record_schema(&json!({})), &object, true)
            },
        ),
        series("create, one long string, bytes", SIZES, |bytes| {
            let schema = json!({"type": "object", "properties": {
                "text": {"type": "string", "pattern": "^[a-z ]*$", "maxLength": 4_000_000},
            }});
            create(&schema, &json!({"text": "abc def ".repeat(bytes / 8)}), true)
        }),
        series("create, repeated keys", LENGTHS, |length| {
            let schema = compile(
                &made::definition(&json!({"type": "object", "properties": {
                    "map": {"type": "object", "additionalProperties": {"type": "integer"}},
                }})),
                "v1",
            )
            .expect("it compiles");
            let pairs: Vec<String> =
                (0..length).map(|n| format!("\"k{}\":{n}", n % (length / 2))).collect();
            let mut body = made::object(&json!({})).to_string();
            body.pop();
            let body = format!("{body},\"map\":{{{}}}}}", pairs.join(","));
            Box::new(move || {
                assert!(black_box(admit::create_from_slice(&schema, body.as_bytes())).is_ok());
            })
        }),
        series("create, list of integers", LENGTHS, |length| {
            let list: Vec<usize> = (0..length).collect();
            create(
                &list_schema(&json!({"type": "integer"}), &json!({})),
                &json!({"list": list}),
                true,
            )
        }),
        series("create, set of strings", LENGTHS, |length| {
            let list: Vec<String> = (0..length).map(|n| format!("element-{n}")).collect();
            let set = json!({"x-kubernetes-list-type": "set"});
            create(&list_schema(&json!({"type": "string"}), &set), &json!({"list": list}), true)
        }),
        series("create, set of one value many times", LENGTHS, |length| {
            let set = json!({"x-kubernetes-list-type": "set"});
            let list = vec!["same"; length];
            create(&list_schema(&json!({"type": "string"}), &set), &json!({"list": list}), false)
        }),
        series("create, set of objects", LENGTHS, |length| {
            let list: Vec<Value> = (0..length).map(|n| json!({"a": n, "b": {"c": [n]}})).collect();
            let set = json!({"x-kubernetes-list-type": "set"});
            let any = json!({
                "type": "object", "x-kubernetes-map-type": "atomic",
                "x-kubernetes-preserve-unknown-fields": true,
            });
            create(&list_schema(&any, &set), &json!({"list": list}), true)
        }),
        series("create, map list by one key", LENGTHS, |length| {
            create(&keyed_schema(&["name"], &json!({})), &keyed(length, 0), true)
        }),
        series("create, map list by two keys", LENGTHS, |length| {
            create(&keyed_schema(&["name", "port"], &json!({})), &keyed(length, 0), true)
        }),
        series("create, map of integers", LENGTHS, |length| {
            let map: Map<String, Value> =
                (0..length).map(|n| (format!("key-{n}"), n.into())).collect();
            let schema = json!({"type": "object", "properties": {"map": {
                "type": "object", "additionalProperties": {"type": "integer"},
            }}});
            create(&schema, &json!({"map": map}), true)
        }),
        series("create, defaults in a list", LENGTHS, |length| {
            let item = json!({"type": "object", "properties": {
                "a": {"type": "string", "default": "x"},
                "b": {"type": "object", "default": {}, "properties": {
                    "c": {"type": "integer", "default": 1},
                }},
            }});
            let list = vec![json!({}); length];
            create(&list_schema(&item, &json!({})), &json!({"list": list}), true)
        }),
        series("create, embedded resources", LENGTHS, |length| {
            let item = json!({
                "type": "object", "x-kubernetes-embedded-resource": true,
                "x-kubernetes-preserve-unknown-fields": true,
            });
            let resource = |n| {
                json!({
                    "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("c{n}")},
                })
            };
            let list: Vec<Value> = (0..length).map(resource).collect();
            create(&list_schema(&item, &json!({})), &json!({"list": list}), true)
        }),
        series("create, metadata: labels", &[10, 40, 160, 640, 2_500, 10_000], |length| {
            let labels: Map<String, Value> =
                (0..length).map(|n| (format!("example.com/label-{n}"), "on".into())).collect();
            let mut object = made::object(&json!({}));
            object["metadata"]["labels"] = labels.into();
            write(&json!({"type": "object"}), object, None, true)
        }),
        series("create, a rule over a list", LENGTHS, |length| {
            let rule = json!({"x-kubernetes-validations": [{"rule": "self.all(i, i >= 0)"}]});
            let list: Vec<usize> = (0..length).collect();
            create(&list_schema(&json!({"type": "integer"}), &rule), &json!({"list": list}), true)
        }),
        series("create, a rule on each item", LENGTHS, |length| {
            let item =
                json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self >= 0"}]});
            let list: Vec<usize> = (0..length).collect();
            create(&list_schema(&item, &json!({})), &json!({"list": list}), true)
        }),
        series("create, a rule that fails on each item", LENGTHS, |length| {
            let item =
                json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self < 0"}]});
            let list: Vec<usize> = (0..length).collect();
            create(&list_schema(&item, &json!({})), &json!({"list": list}), false)
        }),
        series("update, nothing changed, bytes", SIZES, |bytes| {
            let object = records(bytes / RECORD);
            update(&record_schema(&json!({})), &object, &object)
        }),
        series("update, map list turned round", LENGTHS, |length| {
            let mut turned = keyed(length, 0);
            if let Some(list) = turned["list"].as_array_mut() {
                list.reverse();
            }
            update(&keyed_schema(&["name"], &json!({})), &turned, &keyed(length, 0))
        }),
        series("update, map list by two keys, all changed", LENGTHS, |length| {
            update(
                &keyed_schema(&["name", "port"], &json!({})),
                &keyed(length, 1),
                &keyed(length, 0),
            )
        }),
        series("update, oldSelf on each item of a map list", LENGTHS, |length| {
            let rule =
                json!({"x-kubernetes-validations": [{"rule": "self.value >= oldSelf.value"}]});
            update(&keyed_schema(&["name"], &rule), &keyed(length, 1), &keyed(length, 0))
        }),
        series("update, set grown", LENGTHS, |length| {
            let set = json!({"x-kubernetes-list-type": "set"});
            let list = |n: usize| json!({"list": (0..n).collect::<Vec<_>>()});
            let schema = list_schema(&json!({"type": "integer"}), &set);
            update(&schema, &list(length + 1), &list(length))
        }),
        series("update, invalid before and after", LENGTHS, |length| {
            let old: Vec<i64> = vec![-1; length];
            let schema = list_schema(&json!({"type": "integer", "minimum": 0}), &json!({}));
            update(&schema, &json!({"list": old}), &json!({"list": old}))
        }),
        series("update, a map's values changed", LENGTHS, |length| {
            let map = |by: usize| -> Value {
                let pairs = (0..length).map(|n| (format!("key-{n}"), Value::from(n + by)));
                json!({"map": pairs.collect::<Map<String, Value>>()})
            };
            let schema = json!({"type": "object", "properties": {"map": {
                "type": "object", "additionalProperties": {"type": "integer"},
            }}});
            update(&schema, &map(1), &map(0))
        }),
        series("create, a manager of control characters, bytes", SIZES, |bytes| {
            let mut object = made::object(&json!({}));
            object["metadata"]["managedFields"] =
                json!([{"manager": "\u{7f}".repeat(bytes / 6), "operation": "Update"}]);
            write(&json!({"type": "object"}), object, None, false)
        }),
        series("create, lists in lists where a string is due, bytes", SIZES, |bytes| {
            let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
            create(&schema, &json!({"a": in_lists(vec![json!({"x": 1}); bytes / 8])}), false)
        }),
        series("create, unknown fields below a long key, bytes", SIZES, |bytes| {
            let schema = mapped(&json!({"type": "object", "properties": {}}));
            create(&schema, &below_a_long_key(bytes, &json!({"x": 1})), true)
        }),
        series("create, wrong types below a long key, bytes", SIZES, |bytes| {
            create(&mapped(&json!({"type": "string"})), &below_a_long_key(bytes, &json!(1)), false)
        }),
        series("create, missing fields below a long key, bytes", SIZES, |bytes| {
            let item = json!({"type": "object", "required": ["a", "b"], "properties": {
                "a": {"type": "string"}, "b": {"type": "string"},
            }});
            create(&mapped(&item), &below_a_long_key(bytes, &json!({})), false)
        }),
        series("create, no member of a long enumeration, bytes", SIZES, |bytes| {
            let item = json!({"type": "string", "enum": ["m".repeat(1_000)]});
            let list = vec!["x"; bytes / 4];
            let schema = json!({"type": "object", "properties": {
                "list": {"type": "array", "items": item},
            }});
            create(&schema, &json!({"list": list}), false)
        }),
        series("create, a rule that fails below a long key", LENGTHS, |length| {
            create(&mapped(&negative()), &below_a_long_key(4 * length, &json!(1)), false)
        }),
        series("update, a manager of control characters, bytes", SIZES, |bytes| {
            let mut object = made::object(&json!({}));
            object["metadata"]["resourceVersion"] = json!("1");
            let old = object.clone();
            object["metadata"]["managedFields"] =
                json!([{"manager": "\u{7f}".repeat(bytes / 6), "operation": "Update"}]);
            write(&json!({"type": "object"}), object, Some(old), false)
        }),
        series("update, lists in lists where a string is due, bytes", SIZES, |bytes| {
            let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
            let list = in_lists(vec![json!({"x": 1}); bytes / 8]);
            change(&schema, &json!({"a": list}), &json!({}))
        }),
        series("update, wrong types below a long key, bytes", SIZES, |bytes| {
            let fields = below_a_long_key(bytes, &json!(1));
            change(&mapped(&json!({"type": "string"})), &fields, &json!({}))
        }),
        series("update, wrong before and after below a long key, bytes", SIZES, |bytes| {
            let schema = mapped(&json!({"type": "string"}));
            let fields = below_a_long_key(bytes, &json!(1));
            update(&schema, &fields, &fields)
        }),
        series("update, unknown fields below a long key, bytes", SIZES, |bytes| {
            let fields = below_a_long_key(bytes, &json!({"x": 1}));
            update(&mapped(&json!({"type": "object", "properties": {}})), &fields, &json!({}))
        }),
        series("update, missing fields below a long key, bytes", SIZES, |bytes| {
            let item = json!({"type": "object", "required": ["a", "b"], "properties": {
                "a": {"type": "string"}, "b": {"type": "string"},
            }});
            change(&mapped(&item), &below_a_long_key(bytes, &json!({})), &json!({}))
        }),
        series("update, no member of a long enumeration, bytes", SIZES, |bytes| {
            let schema = json!({"type": "object", "properties": {
                "list": {"type": "array", "items": {"type": "string", "enum": ["m".repeat(1_000)]}},
            }});
            change(&schema, &json!({"list": vec!["x"; bytes / 4]}), &json!({}))
        }),
        series("update, a rule that fails below a long key", LENGTHS, |length| {
            let fields = below_a_long_key(4 * length, &json!(1));
            change(&mapped(&negative()), &fields, &json!({}))
        }),
        series("update, a rule that failed below a long key", LENGTHS, |length| {
            let fields = below_a_long_key(4 * length, &json!(1));
            update(&mapped(&negative()), &fields, &fields)
        }),
        series("create, all fields of a wide schema", FIELDS, |fields| {
            let object: Map<String, Value> =
                (0..fields).map(|n| (format!("field{n}"), json!("text"))).collect();
            create(&wide(fields), &Value::Object(object), true)
        }),
        series("create, a small object of a wide schema", FIELDS, |fields| {
            create(&wide(fields), &json!({"field0": "text"}), true)
        }),
        series("compile, fields", FIELDS, |fields| compiling(&wide(fields))),
        series("compile, a rule on each field", FIELDS, |fields| {
            let mut schema = wide(fields);
            for (name, property) in schema["properties"].as_object_mut().into_iter().flatten() {
                property["x-kubernetes-validations"] =
                    json!([{"rule": format!("self != '{name}'")}]);
            }
            compiling(&schema)
        }),
        series("compile, many rules at the root", FIELDS, |rules| {
            let mut schema = wide(16);
            let rules: Vec<Value> =
                (0..rules).map(|n| json!({"rule": format!("self.field1 != 'a{n}'")})).collect();
            schema["x-kubernetes-validations"] = rules.into();
            compiling(&schema)
        }),
        series("validate a definition, keys of a list map", FIELDS, |keys| {
            let names: Vec<String> = (0..keys).map(|n| format!("key{n}")).collect();
            let properties: Map<String, Value> =
                names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
            let items = json!({"type": "object", "properties": properties, "required": names});
            let list =
                json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": names});
            validating(&list_schema(&items, &list))
        }),
        series("validate a definition, rules with large patterns", &[10, 40, 160, 640], |rules| {
            let rules: Vec<Value> = (0..rules)
                .map(|n| json!({"rule": format!("self.s.matches('{n}\\\\p{{L}}{{900}}')")}))
                .collect();
            validating(&json!({"type": "object", "x-kubernetes-validations": rules, "properties": {
                "s": {"type": "string", "maxLength": 10},
            }}))
        }),
        series("validate a definition, a pattern of many classes", FIELDS, |classes| {
            let pattern = format!("(?i){}", "[\\p{L}\\p{N}]".repeat(classes));
            validating(&json!({"type": "object", "properties": {
                "s": {"type": "string", "pattern": pattern},
            }}))
        }),
        series("create, each item of a list as a pattern", FIELDS, |length| {
            let list: Vec<String> = (0..length).map(|n| format!("\\p{{L}}{{500}}{n}")).collect();
            let rule = json!({"x-kubernetes-validations": [
                {"rule": "self.all(x, 'text'.matches(x) || true)"},
            ]});
            let item = json!({"type": "string", "maxLength": 20});
            create(&list_schema(&item, &rule), &json!({"list": list}), true)
        }),
        series("compile, depth", DEPTHS, |depth| compiling(&deep_schema(depth))),
        series("compile, a rule at each level", DEPTHS, |depth| {
            let mut schema = json!({"type": "string", "maxLength": 8});
            for _ in 0..depth {
                schema = json!({
                    "type": "object", "properties": {"next": schema},
                    "x-kubernetes-validations": [{"rule": "has(self.next)"}],
                });
            }
            compiling(&schema)
        }),
        series("update, invalid before and after, depth", DEPTHS, |depth| {
            let mut schema = json!({"type": "string", "maxLength": 1});
            let mut object = json!("end");
            for _ in 0..depth {
                schema = json!({"type": "object", "properties": {"next": schema}});
                object = json!({"next": object});
            }
            update(&schema, &object, &object)
        }),
        series("create, declared depth", DEPTHS, |depth| {
            let mut object = json!("end");
            for _ in 1..depth {
                object = json!({"next": object});
            }
            create(&deep_schema(depth), &json!({"next": object}), true)
        }),
        series("create, preserved depth", OBJECT_DEPTHS, |depth| {
            let mut text = "{\"next\":".repeat(depth);
            text += "1";
            text += &"}".repeat(depth);
            let mut body = made::object(&json!({})).to_string();
            body.pop();
            let body = format!("{body},\"next\":{text}}}");
            let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
            let schema = compile(&made::definition(&schema), "v1").expect("it compiles");
            Box::new(move || {
                assert!(black_box(admit::create_from_slice(&schema, body.as_bytes())).is_ok());
            })
        }),
    ]
}

/// The schema of an object with a list. The keywords of `more` are added to those of the list.
fn list_schema(items: &Value, more: &Value) -> Value {
    let mut list = json!({"type": "array", "maxItems": 50_000, "items": items});
    merge(&mut list, more);
    json!({"type": "object", "properties": {"list": list}})
}

/// The schema of an object with a map of lists of items.
fn mapped(items: &Value) -> Value {
    json!({"type": "object", "properties": {"map": {
        "type": "object", "maxProperties": 1, "additionalProperties": {
            "type": "array", "maxItems": 100_000, "items": items,
        },
    }}})
}

/// The schema of an integer with a rule that rejects it unless it is negative.
fn negative() -> Value {
    json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self < 0"}]})
}

/// The fields of an object of [`mapped`]: half of the bytes are a key, half are at most 100,000 items.
fn below_a_long_key(bytes: usize, item: &Value) -> Value {
    let count = (bytes / 2 / (item.to_string().len() + 1)).min(100_000);
    json!({"map": {"k".repeat(bytes / 2): vec![item; count]}})
}

/// Nests a list of items in 400 lists.
fn in_lists(items: Vec<Value>) -> Value {
    const LEVELS: usize = 400;
    (0..LEVELS).fold(Value::Array(items), |list, _| Value::Array(vec![list]))
}

/// The schema of an object with a list of type `map`. The keywords of `item` are added to those of its items.
fn keyed_schema(keys: &[&str], item: &Value) -> Value {
    let mut items = json!({"type": "object", "required": keys, "properties": {
        "name": {"type": "string"}, "port": {"type": "integer"}, "value": {"type": "integer"},
    }});
    merge(&mut items, item);
    let more = json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys});
    list_schema(&items, &more)
}

/// The fields of an object of [`keyed_schema`]. The value of each item is its index plus `by`.
fn keyed(count: usize, by: usize) -> Value {
    let item = |n: usize| json!({"name": format!("item-{n}"), "port": n, "value": n + by});
    json!({"list": (0..count).map(item).collect::<Vec<_>>()})
}

/// The schema of an object with many strings.
fn wide(fields: usize) -> Value {
    let text = json!({"type": "string", "maxLength": 64, "description": "what this field means"});
    let properties: Map<String, Value> =
        (0..fields).map(|n| (format!("field{n}"), text.clone())).collect();
    json!({"type": "object", "properties": properties})
}

fn deep_schema(depth: usize) -> Value {
    let mut schema = json!({"type": "string"});
    for _ in 0..depth {
        schema = json!({"type": "object", "properties": {"next": schema}});
    }
    schema
}

fn body(fields: &Value) -> Vec<u8> {
    made::object(fields).to_string().into_bytes()
}

/// Returns a call that creates an object. The call panics unless `valid` is whether it is admitted.
fn create(schema: &Value, fields: &Value, valid: bool) -> Box<dyn FnMut()> {
    write(schema, made::object(fields), None, valid)
}

/// Returns a call of an update that must be admitted: the new object has only errors that the old one has.
fn update(schema: &Value, fields: &Value, old: &Value) -> Box<dyn FnMut()> {
    let [mut object, mut old] = [made::object(fields), made::object(old)];
    for object in [&mut object, &mut old] {
        object["metadata"]["resourceVersion"] = json!("1");
    }
    write(schema, object, Some(old), true)
}

/// Returns a call of an update that must be rejected: the new object has errors, the old one has none.
fn change(schema: &Value, fields: &Value, old: &Value) -> Box<dyn FnMut()> {
    let [mut object, mut old] = [made::object(fields), made::object(old)];
    for object in [&mut object, &mut old] {
        object["metadata"]["resourceVersion"] = json!("1");
    }
    write(schema, object, Some(old), false)
}

fn write(schema: &Value, object: Value, old: Option<Value>, valid: bool) -> Box<dyn FnMut()> {
    let schema = compile(&made::definition(schema), "v1").expect("it compiles");
    let body = object.to_string().into_bytes();
    Box::new(move || {
        let operation = old.as_ref().map_or(admit::Operation::Create, admit::Operation::Update);
        let result = admit::Write::new(operation).admit_slice(&schema, black_box(&body));
        assert_eq!(black_box(&result).is_ok(), valid, "{:?}", result.err().map(|e| e.to_string()));
    })
}

fn compiling(schema: &Value) -> Box<dyn FnMut()> {
    let text = made::definition(schema).to_string();
    Box::new(move || {
        let crd: CustomResourceDefinition =
            serde_json::from_str(black_box(&text)).expect("it reads");
        let schema = CompiledSchema::for_version(&crd, "v1").expect("it compiles");
        // Rules are compiled when they are first evaluated.
        let _ = schema.evaluate_rules(&Value::Null, None);
        black_box(schema);
    })
}

fn validating(schema: &Value) -> Box<dyn FnMut()> {
    let text = made::definition(schema).to_string();
    let crd: CustomResourceDefinition = serde_json::from_str(&text).expect("it reads");
    Box::new(move || {
        let _ = black_box(definition::validate(black_box(&crd)));
    })
}
