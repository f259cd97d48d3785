//! The memory and work of a write must be proportional to the size of its body, also for hostile bodies.
//!
//! Work is measured by the total number of allocated bytes: it includes unnecessary rendering and copying, and is the
//! same in each run.

mod generated;

use std::sync::{Mutex, PoisonError};

use cap::Cap;
use crd_runtime::admit::{self, Operation, Write};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::definition;
use crd_runtime::model::CustomResourceDefinition;
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

static PEAK: PeakAlloc = PeakAlloc;
#[global_allocator]
static ALLOCATOR: Cap<PeakAlloc> = Cap::new(PeakAlloc, usize::MAX);

/// The largest memory in use during a write, in bytes for each byte of its body and of the object that it replaces.
///
/// The tree of `{"":0},` takes 90: a node of 632 bytes for 7. An update reads a copy of the stored object.
const HELD_PER_BYTE: usize = 128;
/// The additional memory that a write may use, in bytes: for the errors, unknown fields and warnings of an answer, for
/// their rendered forms, and for one of each that exceeds its remaining budget.
const HELD: usize = 64 << 20;
/// The largest total allocation of a write: in bytes for each byte of input, and an additional constant.
const ALLOCATED_PER_BYTE: usize = 512;
const ALLOCATED: usize = 512 << 20;
/// The approximate size of a body, in bytes.
const BYTES: usize = 1 << 18;

/// The tests share one allocator.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns the result of a call, the peak of the memory that it uses, and its total allocation, in bytes.
fn measure<T>(call: impl FnOnce() -> T) -> (T, usize, usize) {
    PEAK.reset_peak_usage();
    let held = PEAK.current_usage();
    let allocated = ALLOCATOR.total_allocated();
    let result = call();
    (result, PEAK.peak_usage() - held, ALLOCATOR.total_allocated() - allocated)
}

/// Makes a call whose input has so many bytes, and checks the limits of its memory and work.
#[track_caller]
fn bounded<T>(what: &str, bytes: usize, call: impl FnOnce() -> T) -> T {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (result, held, allocated) = measure(call);
    let most = HELD_PER_BYTE * bytes + HELD;
    assert!(held <= most, "{what}: {bytes} bytes hold {held}, more than {most}");
    let most = ALLOCATED_PER_BYTE * bytes + ALLOCATED;
    assert!(allocated <= most, "{what}: {bytes} bytes allocate {allocated}, more than {most}");
    result
}

fn crd(root: &Value) -> CustomResourceDefinition {
    crd_fixtures::widget(root).read()
}

fn schema(properties: &Value) -> CompiledSchema {
    let root = json!({"type": "object", "properties": properties});
    let crd = crd(&root);
    let wrong = definition::validate(&crd);
    let wrong: Vec<_> = wrong.iter().filter(|error| !error.field.starts_with("status")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    CompiledSchema::for_version(&crd, "v1").expect("it compiles")
}

/// A body with these fields of metadata and of the object, as text.
fn body(metadata: &str, fields: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"w","namespace":"default","resourceVersion":"1"{metadata}}}{fields}}}"#
    )
}

/// Creates an object, updates one without the fields to it, and updates it without a change; formatting each answer
/// counts too. Returns the text of the first answer.
#[track_caller]
fn write(what: &str, schema: &CompiledSchema, metadata: &str, fields: &str) -> String {
    let body = body(metadata, fields);
    let text = |result: Result<admit::Admitted, admit::Rejection>| match result {
        Ok(admitted) => admitted.warnings.join("\n"),
        Err(rejection) => rejection.message(schema),
    };
    let message = bounded(&format!("{what}, created"), body.len(), || {
        text(admit::create_from_slice(schema, body.as_bytes()))
    });
    let plain: Value = serde_json::from_str(&self::body("", "")).expect("JSON");
    bounded(&format!("{what}, updated"), body.len(), || {
        text(Write::new(Operation::Update(&plain)).admit_slice(schema, body.as_bytes()))
    });
    if let Ok(same) = serde_json::from_str(&body) {
        bounded(&format!("{what}, the same"), 2 * body.len(), || {
            text(Write::new(Operation::Update(&same)).admit_slice(schema, body.as_bytes()))
        });
        drop::<Value>(same);
    }
    message
}

/// A list of one element so many times that the text has [`BYTES`].
fn many(element: &str) -> String {
    let count = BYTES / (element.len() + 1);
    format!("[{}]", vec![element; count].join(","))
}

/// A key that takes half of [`BYTES`].
fn long_key() -> String {
    "k".repeat(BYTES / 2)
}

#[test]
fn a_manager_of_control_characters() {
    let manager = "\\u007f".repeat(BYTES / 6);
    let fields = format!(r#","managedFields":[{{"manager":"{manager}","operation":"Update"}}]"#);
    let message = write("a manager of control characters", &schema(&json!({})), &fields, "");
    assert!(message.contains("invalid character U+007F (at position 0)"));
    assert!(message.contains("more errors are not listed"));
}

#[test]
fn owner_references_with_many_controllers() {
    let owner = r#"{"apiVersion":"v1","kind":"Pod","name":"n","uid":"u","controller":true}"#;
    let fields = format!(r#","ownerReferences":{}"#, many(owner));
    let message = write("owner references with many controllers", &schema(&json!({})), &fields, "");
    assert!(message.contains("Only one reference can have Controller set to true"));
}

#[test]
fn metadata_of_many_wrong_keys() {
    let labels: Vec<String> = (0..BYTES / 16).map(|n| format!(r#""-{n}":"-""#)).collect();
    let labels = labels.join(",");
    let fields = format!(r#","labels":{{{labels}}},"annotations":{{{labels}}}"#);
    write("many wrong labels", &schema(&json!({})), &fields, "");
    let finalizers = format!(r#","finalizers":{}"#, many(r#""a b""#));
    write("many wrong finalizers", &schema(&json!({})), &finalizers, "");
    let unknown: Vec<String> = (0..BYTES / 16).map(|n| format!(r#""x{n}":1"#)).collect();
    write("many unknown", &schema(&json!({})), &format!(",{}", unknown.join(",")), "");
}

#[test]
fn lists_in_lists_where_a_string_is_due() {
    let schema = schema(&json!({"a": {"type": "string"}}));
    for element in ["{}", "[]", r#"{"x":1}"#] {
        let list = format!("{}{}{}", "[".repeat(490), many(element), "]".repeat(490));
        write("lists in lists", &schema, "", &format!(r#","a":{list}"#));
    }
    let message = write("unknown keys", &schema, "", &format!(r#","a":{}"#, many(r#"{"x":1}"#)));
    assert!(message.contains("a: Invalid value"));
}

#[test]
fn values_below_a_long_key() {
    let strings =
        schema(&json!({"m": {"type": "object", "additionalProperties": {"type": "string"}}}));
    let lists = schema(&json!({"m": {"type": "object", "additionalProperties": {
        "type": "array", "items": {"type": "string", "enum": ["a", "b"]},
    }}}));
    let objects = schema(&json!({"m": {"type": "object", "additionalProperties": {
        "type": "array",
        "items": {"type": "object", "required": ["r", "s"], "properties": {"r": {"type": "integer"},
                                                                           "s": {"type": "integer"}}},
    }}}));
    let sets = schema(&json!({"m": {"type": "object", "additionalProperties": {
        "type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"},
    }}}));
    let maps = schema(&json!({"m": {"type": "object", "additionalProperties": {
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["r"],
        "items": {"type": "object", "required": ["r"], "properties": {"r": {"type": "integer"}}},
    }}}));
    let resources = schema(&json!({"m": {"type": "object", "additionalProperties": {
        "type": "array",
        "items": {"type": "object", "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true},
    }}}));
    let key = long_key();
    for element in
        ["{}", "1", "null", r#""""#, "[]", r#"{"x":1}"#, r#"{"r":"a"}"#, r#"{"metadata":{"x":1}}"#]
    {
        let fields = format!(r#","m":{{"{key}":{}}}"#, many(element));
        for schema in [&strings, &lists, &objects, &sets, &maps, &resources] {
            write(&format!("{element} below a long key"), schema, "", &fields);
        }
    }
    // Each value twice, so that half of them are errors.
    let twice: Vec<String> = (0..BYTES / 8).map(|n| (n / 2).to_string()).collect();
    let set: Vec<String> = twice.iter().map(|n| format!("\"{n}\"")).collect();
    let map: Vec<String> = twice.iter().map(|n| format!(r#"{{"r":{n}}}"#)).collect();
    write("a set", &sets, "", &format!(r#","m":{{"{key}":[{}]}}"#, set.join(",")));
    write("a map", &maps, "", &format!(r#","m":{{"{key}":[{}]}}"#, map.join(",")));
}

#[test]
fn an_enumeration_with_a_long_member() {
    let member = "m".repeat(1_000);
    let schema =
        schema(&json!({"l": {"type": "array", "items": {"type": "string", "enum": [member]}}}));
    write("an enumeration", &schema, "", &format!(r#","l":{}"#, many(r#""x""#)));
}

#[test]
fn alternatives_below_a_long_key() {
    // For each item, the errors of a failed inner alternative are created and dropped, because the outer junctor has
    // failed and counts how many keywords match, to find its closest alternative.
    let inner = json!({"anyOf": [{"minimum": 10}, {"maximum": 5}]});
    let schema = schema(&json!({"spec": {
        "type": "object",
        "anyOf": [{"properties": {"m": {"properties": {long_key(): {"items": inner}}}},
                   "required": ["missing"]}],
        "properties": {
            "missing": {"type": "integer"},
            "m": {"type": "object", "properties": {long_key(): {
                "type": "array", "items": {"type": "integer"},
            }}},
        },
    }}));
    let fields = format!(r#","spec":{{"m":{{"{}":{}}}}}"#, long_key(), many("1"));
    let message = write("alternatives", &schema, "", &fields);
    assert!(
        message.contains("\"spec\" must validate at least one schema (anyOf)"),
        "{}",
        message.len()
    );
    // The dropped errors have used up the number of bytes that may be created, so `spec.missing` is only counted.
    assert!(message.contains("1 more error is not listed"), "{}", message.len());
}

#[test]
fn rules_that_fail_below_a_long_key() {
    let rule = |rule: &str| json!({"rule": rule});
    let rules: Vec<Value> = (0..20).map(|n| rule(&format!("self < -{n}"))).collect();
    let schema =
        schema(&json!({"m": {"type": "object", "maxProperties": 1, "additionalProperties": {
            "type": "array", "maxItems": 1000,
            "items": {"type": "integer", "x-kubernetes-validations": rules},
        }}}));
    let key = long_key();
    let items: Vec<String> = (0..1_000).map(|n: i32| n.to_string()).collect();
    let fields = format!(r#","m":{{"{key}":[{}]}}"#, items.join(","));
    let message = write("rules", &schema, "", &fields);
    assert!(message.contains("failed rule: self < -0"));
}

#[test]
fn duplicate_keys_below_a_long_key() {
    let twice: Vec<String> = (0..BYTES / 16).map(|n| format!(r#""{n}":1,"{n}":1"#)).collect();
    let fields = format!(r#","m":{{"{}":{{{}}}}}"#, long_key(), twice.join(","));
    let schema =
        schema(&json!({"m": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}));
    let message = write("duplicate keys", &schema, "", &fields);
    assert!(message.contains("more duplicate fields are not listed"), "{}", message.len());
}

#[test]
fn trees_of_small_parts() {
    let schema = schema(&json!({
        "any": {"x-kubernetes-preserve-unknown-fields": true},
        "s": {"type": "string", "default": "text"},
    }));
    for element in ["{}", "[]", r#"{"":0}"#, r#"{"":{}}"#, r#"{"":[]}"#, "0", r#""""#, "[[]]"] {
        write(&format!("many {element}"), &schema, "", &format!(r#","any":{}"#, many(element)));
        write(&format!("unknown {element}"), &schema, "", &format!(r#","x":{}"#, many(element)));
    }
}

/// Validates a definition whose root has these properties.
#[track_caller]
fn define(what: &str, properties: &Value) -> String {
    let crd = crd(&json!({"type": "object", "properties": properties}));
    let bytes = serde_json::to_string(&crd).expect("JSON").len();
    bounded(what, bytes, || definition::validate(&crd).to_string())
}

#[test]
fn definitions_with_many_keys_of_list_maps() {
    let keys: Vec<String> = (0..20_000).map(|n| format!("k{n}")).collect();
    let properties: serde_json::Map<String, Value> =
        keys.iter().map(|key| (key.clone(), json!({"type": "string"}))).collect();
    for (what, properties) in [("with keys", json!(properties)), ("without", json!({}))] {
        let list = json!({"type": "array", "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": keys,
            "items": {"type": "object", "properties": properties}});
        let message = define(&format!("list map keys, {what}"), &json!({"l": list}));
        assert!(message.contains("x-kubernetes-list-map-keys"));
    }
}

#[test]
fn definitions_with_wrong_schemas_below_a_long_key() {
    let key = long_key();
    for (what, wrong) in [
        ("no type", json!({})),
        ("a type that is none", json!({"type": "strin"})),
        (
            "unique items",
            json!({"type": "array", "uniqueItems": true, "items": {"type": "string"}}),
        ),
        ("a default", json!({"type": "string", "default": 1})),
        ("a default with unknown fields", json!({"type": "object", "default": {"a": 1}})),
        ("a pattern", json!({"type": "string", "pattern": "("})),
        ("a rule", json!({"type": "string", "x-kubernetes-validations": [{"rule": "self.x"}]})),
    ] {
        let properties: serde_json::Map<String, Value> =
            (0..2_000).map(|n| (format!("p{n}"), wrong.clone())).collect();
        let long = json!({"type": "object", "properties": properties});
        define(&format!("{what} below a long key"), &json!({key.clone(): long}));
    }
}
