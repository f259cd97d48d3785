//! The known differences from the server. Each test asserts the behaviour of this workspace, and its comment
//! describes the server's. Each has a row in `docs/guide/src/differences.md`.
//!
//! A name ends in `_fails_closed` if this workspace rejects input that the server accepts, and in `_fails_open` if it
//! accepts input that the server rejects; other names describe the difference.

use std::collections::BTreeMap;
use std::fs;

use crd_cel::env::Env;
use crd_cel::kubernetes::Environment;
use crd_cel::plan::Program;
use crd_cel::re2::Regex;
use crd_runtime::admit::{self, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::json;
use crd_runtime::json_path::Template;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{definition, yaml};
use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde_json::{Value, json};

/// The API server's limit of one call, in cost units.
const COST_LIMIT: u64 = 1_000_000;

/// Returns a definition in which `spec` has this schema.
fn manifest(spec: &Value) -> Value {
    crd_fixtures::crd("example.com", "Tab").cluster().spec("v1", spec).json()
}

fn typed(manifest: Value) -> CustomResourceDefinition {
    serde_json::from_value(manifest).expect("a definition")
}

/// Returns the errors of a definition.
fn definition_errors(manifest: Value) -> String {
    definition::validate(&typed(manifest)).to_string()
}

/// Creates an object with this `spec`, for which `spec` has this schema.
fn create(schema: &Value, spec: &Value) -> Result<admit::Admitted, Rejection> {
    create_with(schema, &json!({"name": "one"}), spec)
}

fn create_with(schema: &Value, meta: &Value, spec: &Value) -> Result<admit::Admitted, Rejection> {
    let schema =
        CompiledSchema::for_version(&typed(manifest(schema)), "v1").expect("the version is there");
    let object =
        json!({"apiVersion": "example.com/v1", "kind": "Tab", "metadata": meta, "spec": spec});
    admit::create(&schema, object)
}

/// Returns the value or the error of an expression.
fn eval(expression: &str) -> String {
    eval_in(&Env::kubernetes(), expression)
}

fn eval_in(env: &Env, expression: &str) -> String {
    let checked = match env.compile(expression) {
        Ok(checked) => checked,
        Err(issues) => return issues.to_string(),
    };
    let program = match Program::plan(&checked, env) {
        Ok(program) => program,
        Err(error) => return format!("error: {error}"),
    };
    match program.eval(&[], COST_LIMIT).result {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

/// The server keeps objects of up to 10,000 levels.
#[test]
fn nested_objects_fails_closed() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(json::decode(nested(500).as_bytes()).is_ok());
    let error = json::decode(nested(501).as_bytes()).expect_err("too deep");
    assert_eq!(error.to_string(), "json: nested deeper than 500 levels");
}

/// The only limit of the server is that of its JSON decoder.
#[test]
fn nested_schemas_fails_closed() {
    let mut schema = json!({"type": "object"});
    for _ in 0..64 {
        schema = json!({"type": "object", "properties": {"a": schema}});
    }
    let error = definition::decode(&manifest(&schema)).expect_err("too deep");
    assert_eq!(error.to_string(), "schemas are nested deeper than 64 levels");
}

/// The server reports every unknown field, even if their paths are long in total.
#[test]
fn listed_unknown_fields_end() {
    const KEYS: usize = 100;
    let key = "k".repeat(1 << 20);
    let unknown: serde_json::Map<String, Value> =
        (0..KEYS).map(|n| (format!("{n:03}"), Value::Null)).collect();
    let schema =
        json!({"type": "object", "additionalProperties": {"type": "object", "properties": {}}});
    let admitted = create(&schema, &json!({key: unknown})).expect("admitted");
    let listed = admitted.unknown_fields.len();
    assert!((1..KEYS).contains(&listed));
    let more = format!("{} more unknown fields are not listed", KEYS - listed);
    assert_eq!(admitted.warnings.last(), Some(&more));
}

/// The server lists every error: for each controller beyond the first, it prints all owner references again.
#[test]
fn listed_errors_end() {
    const OWNERS: usize = 300;
    let owner = |n: usize| {
        json!({"apiVersion": "v1", "kind": "Pod", "name": format!("{n}{}", "a".repeat(200)),
               "uid": format!("u{n}"), "controller": true})
    };
    let owners: Vec<Value> = (0..OWNERS).map(owner).collect();
    let meta = json!({"name": "one", "ownerReferences": owners});
    let errors = match create_with(&json!({"type": "object"}), &meta, &json!({})) {
        Err(Rejection::Invalid(invalid)) => invalid.errors,
        other => panic!("{other:?}"),
    };
    let listed = errors.len() - 1;
    assert!((1..OWNERS - 1).contains(&listed), "{listed}");
    let last = errors.iter().last().map(ToString::to_string).unwrap_or_default();
    let more = OWNERS - 1 - listed;
    assert_eq!(last, format!("<nil>: Invalid value: {more} more errors are not listed"));
}

/// The server reports the first hundred duplicate keys, even if their paths are long in total.
#[test]
fn listed_duplicate_fields_end() {
    let key = "k".repeat(1 << 20);
    let twice: Vec<String> = (0..9).map(|n| format!(r#""{n}":1,"{n}":1"#)).collect();
    let body = format!(r#"{{"{key}":{{{}}}}}"#, twice.join(","));
    let duplicates = json::decode(body.as_bytes()).expect("JSON").duplicates;
    assert_eq!(duplicates.len(), 2);
    assert_eq!(duplicates[1], "more duplicate fields are not listed: 8");
}

/// A server up to 1.36 would allocate the list, and the system would kill it.
#[test]
fn memory_of_an_evaluation_fails_closed() {
    let text = "error: operation cancelled: evaluation memory limit exceeded";
    let before = Environment::new("1.36".parse().expect("a known version"));
    assert_eq!(eval_in(&Env::of(before), "lists.range(10000000000).size() > 0"), text);
}

/// The server writes every digit of the sum, or the system kills it.
#[test]
fn digits_of_a_sum_fails_closed() {
    let text = "error: operation cancelled: evaluation memory limit exceeded";
    assert_eq!(eval("quantity('1e9000000').add(quantity('1')).isInteger()"), text);
}

/// cel-go builds the whole tree: each `optMap` doubles the expression before it.
#[test]
fn nodes_of_an_expression_fails_closed() {
    let chain = format!("optional.of(1){}.hasValue()", ".optMap(x, x)".repeat(30));
    let error = eval(&chain);
    assert!(error.contains("macros copy more than 16384 nodes of the expression"), "{error}");
}

/// The server compares every element, until the deadline of the request.
#[test]
fn steps_of_an_evaluation_fails_closed() {
    let shared = format!("[dyn(1)]{}", ".map(x, dyn([x, x]))".repeat(40));
    let text = "error: operation cancelled: evaluation step limit exceeded";
    assert_eq!(eval(&format!("{shared}.all(y, y == y)")), text);
}

/// The server prints the whole value, or the system kills it.
#[test]
fn values_in_errors_end() {
    let key = "'a'".to_owned() + &" + 'a'".repeat(3) + ".replace('', 'aaaaaaaa')";
    let key = format!("[{key}]{}.all(k, {{}}[k] == 1)", ".map(x, x + x)".repeat(12));
    let error = eval(&key);
    assert!(error.starts_with("error: no such key: aaaa") && error.ends_with("..."), "{error}");
}

/// cel-go builds types of any depth. Here each `map` makes the type 100 levels deeper, so after 20 of them the type has
/// 2,000 levels, although the brackets of the expression nest only 100.
#[test]
fn levels_of_a_type_fails_closed() {
    let (open, close) = ("[".repeat(100), "]".repeat(100));
    let error = eval(&format!("[1]{}", format!(".map(x, {open}x{close})").repeat(20)));
    assert!(error.contains("type nests more than 500 levels"), "{error}");
}

/// On the server, values of the type `dyn` nest without a limit, because their type does not show the depth.
#[test]
fn levels_of_a_value_fails_closed() {
    let (open, close) = ("[".repeat(100), "]".repeat(100));
    let nested = |rounds: usize| {
        let rounds = format!(".map(x, dyn({open}x{close}))").repeat(rounds);
        eval(&format!("[dyn(1)]{rounds}.all(y, y == y)"))
    };
    assert_eq!(nested(4), "true");
    let error = nested(5);
    assert!(error.contains("value nests more than 500 levels"), "{error}");
}

/// cel-go builds the whole type: each `map` doubles its size.
#[test]
fn parts_of_a_type_fails_closed() {
    let mut nested = "[true]".to_owned();
    for _ in 0..20 {
        nested = format!("{nested}.map(x, {{x: x}})");
    }
    let error = eval(&nested);
    assert!(error.contains("type has more than 65536 parts"), "{error}");
}

/// cel-go appends to the empty list in place, so the result is `[1, 1]`.
#[test]
fn empty_lists_bound_by_opt_map_keep_their_value() {
    assert_eq!(eval("optional.of([]).optMap(x, x + [1] + x).value()"), "[1]");
}

/// The server prints the keys as Go does: `1m1s`, `2009-11-10 23:00:00 +0000 UTC`, `1.2.3.4`.
#[test]
fn keys_that_stand_twice_print_as_cel_writes_them() {
    let twice = |key| eval(&format!("[{key}, {key}].transformMapEntry(i, v, {{v: i}})"));
    let error = |key| format!("error: insert failed: key {key} already exists");
    assert_eq!(twice("duration('61s')"), error("61s"));
    assert_eq!(twice("timestamp('2009-11-10T23:00:00Z')"), error("2009-11-10T23:00:00Z"));
    assert_eq!(twice("ip('1.2.3.4')"), error("net.IP"));
}

/// The server uses the name of the type, so the result is true.
#[test]
fn types_are_no_texts_for_patterns() {
    assert_eq!(eval("dyn(int).matches('int')"), "error: no such overload");
}

/// On the server, strings are bytes, and strings from a URL need not be UTF-8. So these two differ there.
#[test]
fn texts_of_urls_are_utf8() {
    let query = |text| format!("url('/?a={text}').getQuery()['a'][0]");
    assert_eq!(eval(&format!("{} == {}", query("%ff"), query("%fe"))), "true");
    assert_eq!(eval(&format!("size({})", query("%e2%82"))), "2");
}

/// On the server, a field to which a `dyn` is assigned converts the value, and fails if the types differ.
#[test]
fn fields_of_messages_take_any_value_fails_open() {
    assert_eq!(eval("google.protobuf.StringValue{value: dyn(1)}"), "1");
    assert_eq!(eval("google.protobuf.Duration{seconds: dyn('a')}"), "0s");
}

/// The server appends in place, so the second sum changes the first, and both are `ay`.
#[test]
fn sums_of_bytes_keep_their_value() {
    let sums = "['x', 'y'].map(e, b'a' + bytes(e)).map(sum, string(sum))";
    assert_eq!(eval(sums), "[ax, ay]");
}

/// The server crashes in a check of list and map literals.
#[test]
fn optional_entries_of_any_type_fails_closed() {
    let rejected = definition_errors(manifest(&json!({
        "type": "object",
        "x-kubernetes-validations": [{"rule": "{?'a': dyn(1)}.size() == 1"}],
    })));
    assert!(rejected.contains("expected type 'optional_type(dyn)' but found 'dyn'"), "{rejected}");
}

/// The server keeps the last of the two keys, `-0`.
#[test]
fn zeros_keep_the_first_of_two_keys() {
    assert_eq!(eval("{dyn(0.0): 1, dyn(-0.0): 2}"), "{0: 2}");
}

/// On the server, numbers in `Struct` and `ListValue` are doubles, and `Empty` is a value, too.
#[test]
fn messages_of_json_keep_their_integers() {
    assert_eq!(eval("type(google.protobuf.Struct{fields: {'a': 1}}.a)"), "int");
    assert_eq!(eval("type(google.protobuf.ListValue{values: [1]}[0])"), "int");
    assert_eq!(eval("google.protobuf.Empty{}"), "error: unknown type 'Empty'");
}

/// With more than twelve elements, Go's sort leaves those with equal keys in any order.
#[test]
fn sorting_is_stable() {
    let sorted = eval("lists.range(40).sortBy(x, x % 2)");
    let even = (0..40).step_by(2);
    let want: Vec<String> = even.chain((1..40).step_by(2)).map(|n| n.to_string()).collect();
    assert_eq!(sorted, format!("[{}]", want.join(", ")));
}

/// Go shares one zone among all times whose offset is the same number of whole hours, so there such times are equal in a
/// set.
#[test]
fn times_with_an_offset_are_never_equal_in_sets_fails_closed() {
    let times = json!({"type": "array", "x-kubernetes-list-type": "set",
        "items": {"type": "string", "format": "date-time"}});
    let schema = json!({"type": "object", "properties": {"a": times, "b": times},
        "x-kubernetes-validations": [{"rule": "self.a == self.b"}]});
    let both = |time| create(&schema, &json!({"a": [time], "b": [time]}));
    assert!(both("2026-01-31T09:00:00Z").is_ok());
    assert!(both("2026-01-31T09:00:00+01:00").is_err());
}

/// On the server, a sum of lists that has a declared part returns the error of an element that is not of its type.
#[test]
fn wrong_elements_are_not_in_sums_of_lists_fails_open() {
    let bytes = json!({"type": "array", "items": {"type": "string", "format": "byte"}});
    let schema = json!({"type": "object", "properties": {"a": bytes, "b": bytes},
        "x-kubernetes-validations": [{"rule": "!sets.contains([b'x'] + self.a, self.b)"}]});
    assert!(create(&schema, &json!({"a": ["eA=="], "b": [[]]})).is_ok());
}

/// Go reads 0.1.
#[test]
fn numbers_of_more_than_800_digits_keep_their_value() {
    let number = format!("1{}e-800", "0".repeat(800));
    assert_eq!(eval(&format!("double('{number}')")), "1");
}

/// Go iterates over a map in random order.
#[test]
fn maps_are_walked_in_the_order_of_their_keys() {
    let object = json!({"m": {"c": 3, "a": 1, "b": 2}});
    let template = Template::parse_path(".m.*").expect("a path");
    let groups = template.find(&object).expect("found");
    let values: Vec<String> = groups.iter().map(|group| format!("{group:?}")).collect();
    let text = values.concat();
    let place = |n: u32| text.find(&format!("Number({n})")).expect("is there");
    assert!(place(1) < place(2) && place(2) < place(3), "{text}");
}

/// The server prints `[]`.
#[test]
fn an_empty_list_of_versions_prints_as_null() {
    let mut manifest = manifest(&json!({"type": "object"}));
    manifest["spec"]["versions"] = json!([]);
    let errors = definition_errors(manifest);
    assert!(errors.contains("spec.versions: Invalid value: null"), "{errors}");
}

/// The server parses the certificate when an established definition is updated, and reports that this one, which is
/// empty, is malformed.
#[test]
fn certificates_of_webhooks_fails_open() {
    let mut manifest = manifest(&json!({"type": "object"}));
    manifest["metadata"]["resourceVersion"] = "7".into();
    manifest["status"] = json!({"storedVersions": ["v1"],
        "conditions": [{"type": "Established", "status": "True"}]});
    let old = typed(manifest.clone());
    // An ASN.1 sequence in a sequence, as PEM, in base64.
    let bundle =
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BSXdBQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";
    manifest["spec"]["conversion"] = json!({"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://example.com", "caBundle": bundle}}});
    let mut update = |bundle: &str| {
        manifest["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"] = bundle.into();
        definition::validate_update(&typed(manifest.clone()), &old).to_string()
    };
    let errors = update(bundle);
    assert!(!errors.contains("caBundle"), "{errors}");
    let errors = update("Cg==");
    assert!(errors.contains("caBundle"), "{errors}");
}

/// In go-yaml they are two keys, and the map that becomes JSON has no order. Strict decoding does not report them.
#[test]
fn of_keys_of_two_types_the_last_is_kept() {
    for (text, want) in
        [("{true: 1, \"true\": 2}", json!({"true": 2})), ("{\"1\": a, 0x1: b}", json!({"1": "b"}))]
    {
        let read = yaml::document(text.as_bytes()).expect("readable").expect("a document");
        assert_eq!((read.value, read.strict_errors.len(), read.duplicates.len()), (want, 0, 0));
    }
}

/// go-yaml reads up to 10,000 levels.
#[test]
fn nested_yaml_fails_closed() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(yaml::documents(&nested(500)).all(|document| document.is_ok()));
    assert!(yaml::documents(&nested(501)).any(|document| document.is_err()));
}

/// go-yaml reads blocks of 512 bytes before it converts them, so that a text in UTF-16 is seen half as far.
#[test]
fn corrupt_utf16_behind_a_document_fails_closed() {
    let text = |comments: usize| {
        let text = format!("a: 1\n---\n{}", "#\n".repeat(comments));
        let units = text.encode_utf16().chain([0xd800, 0x0a]);
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend(units.flat_map(u16::to_le_bytes));
        bytes
    };
    assert!(yaml::document(&text(140)).is_err());
    assert!(yaml::document(&text(400)).is_ok());
}

/// kubectl limits how many nodes the aliases of a document expand to, but not how many bytes.
#[test]
fn bytes_of_yaml_aliases_fails_closed() {
    let read = |aliases: usize| {
        let large = "x".repeat(1 << 20);
        let text = format!("any: &a {large}\nall:\n{}", "- *a\n".repeat(aliases));
        yaml::documents(&text).all(|document| document.is_ok())
    };
    assert!(read(30));
    assert!(!read(40));
}

/// In the Unicode of Go 1.26, U+1171E is a mark that takes no space.
#[test]
fn a_mark_of_newer_unicode_has_its_newer_category() {
    let is = |class: &str| Regex::new(class).expect("a pattern").is_match("\u{1171E}");
    assert!(is(r"\p{Mc}") && !is(r"\p{Mn}"));
}

/// The server crashes; the path has no schema to lead to.
#[test]
fn field_paths_below_any_properties_fails_closed() {
    let errors = definition_errors(manifest(&json!({
        "type": "object",
        "properties": {"m": {"type": "object", "additionalProperties": true}},
        "x-kubernetes-validations": [{"rule": "true", "fieldPath": ".m.a.b"}],
    })));
    assert!(errors.contains("fieldPath: Invalid value"), "{errors}");
}

/// The server crashes; there is no schema for a path to lead through.
#[test]
fn selectable_fields_without_a_structural_schema_fails_closed() {
    let mut manifest = manifest(&json!({"type": "array", "items": [{"type": "string"}]}));
    manifest["spec"]["versions"][0]["selectableFields"] = json!([{"jsonPath": ".spec.a"}]);
    let errors = definition_errors(manifest);
    assert!(errors.contains("is an invalid path: does not refer to a valid field"), "{errors}");
}

/// The server and this workspace accept a number within 1e-9 of an integer as an integer; Rust's type does not.
#[test]
fn almost_integers_are_admitted_and_do_not_deserialize() {
    let schema =
        json!({"type": "object", "properties": {"p": {"x-kubernetes-int-or-string": true}}});
    let admitted = create(&schema, &json!({"p": 1.000_000_000_000_1})).expect("admitted");
    let value = admitted.object["spec"]["p"].clone();
    assert!(serde_json::from_value::<IntOrString>(value).is_err());
}

/// Go drops digits of a second beyond the ninth, so the server accepts them, and so does this workspace; k8s-openapi's
/// type rejects them.
#[test]
fn fractions_of_nanoseconds_are_admitted_and_do_not_deserialize() {
    let schema =
        json!({"type": "object", "properties": {"t": {"type": "string", "format": "date-time"}}});
    let read = |digits: &str| {
        let spec = json!({"t": format!("2024-01-01T00:00:00.{digits}Z")});
        let value = create(&schema, &spec).expect("admitted").object["spec"]["t"].clone();
        serde_json::from_value::<Time>(value)
    };
    assert!(read("123456789").is_ok());
    assert!(read("1234567891").is_err());
}

/// The server and this workspace accept a list where the schema has a string with a format; Rust's type does not.
#[test]
fn lists_for_formatted_strings_are_admitted_and_do_not_deserialize() {
    let schema =
        json!({"type": "object", "properties": {"b": {"type": "string", "format": "byte"}}});
    let admitted = create(&schema, &json!({"b": []})).expect("admitted");
    let value = admitted.object["spec"]["b"].clone();
    assert!(serde_json::from_value::<String>(value).is_err());
}

/// The server reads integers as int64, and rejects what Rust writes for the largest `u64`.
#[test]
fn great_unsigned_integers_serialize_and_are_rejected() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer", "format": "int64"}}});
    assert!(create(&schema, &json!({"n": i64::MAX})).is_ok());
    assert!(create(&schema, &json!({"n": u64::MAX})).is_err());
}

/// Rust serializes an empty list of bytes as an empty string, which the server's format `byte` rejects.
#[test]
fn empty_bytes_serialize_and_are_rejected() {
    let schema =
        json!({"type": "object", "properties": {"b": {"type": "string", "format": "byte"}}});
    assert!(create(&schema, &json!({"b": ByteString(vec![1])})).is_ok());
    assert!(create(&schema, &json!({"b": ByteString(Vec::new())})).is_err());
}

/// The tables of the guide have exactly one row for each test above, and the table of the in-process API server has rows
/// of its own tests.
#[test]
fn the_guide_has_a_row_for_each() {
    let tests = include_str!("divergence.rs");
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for after in tests.split("\n#[test]\nfn ").skip(1) {
        rows.insert(after.split_once('(').expect("a function").0, 0);
    }
    rows.remove("the_guide_has_a_row_for_each");
    let page = include_str!("../../../docs/guide/src/differences.md");
    let (page, of_the_server) =
        page.split_once("\n### The in-process API server").expect("a table of the server");
    let server_tests: String = fs::read_dir("tests/apiserver")
        .expect("a directory")
        .filter_map(|entry| fs::read_to_string(entry.expect("an entry").path()).ok())
        .collect();
    for row in of_the_server.lines().filter_map(|line| line.strip_prefix("| `")) {
        let name = row.split_once('`').expect("a name").0;
        assert!(server_tests.contains(&format!("fn {name}(")), "no test {name}");
    }
    for row in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let name = row.split_once('`').expect("a name").0;
        *rows.get_mut(name).unwrap_or_else(|| panic!("no test {name}")) += 1;
    }
    let off: Vec<_> = rows.iter().filter(|(_, rows)| **rows != 1).collect();
    assert!(off.is_empty(), "tests and their count of rows: {off:?}");
}
