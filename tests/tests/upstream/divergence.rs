//! The server's behaviour at the known differences, from its own code; `divergence.rs` has that of this workspace.

use std::collections::BTreeSet;

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;
use crd_tests::oracle::Oracle;
use serde_json::{Value, json};

/// The server's answer.
#[derive(Debug, Clone, Copy)]
enum ServerAnswer {
    /// No error; a rule holds.
    Fine,
    /// An error that has this text.
    Error(&'static str),
    /// Its code panics; a server answers with an internal error.
    Crash,
}

use ServerAnswer::{Crash, Error, Fine};

/// Rows that are not checked, and why. Those of the in-process API server have tests among its own.
const NOT_CHECKED: [(&str, &str); 16] = [
    ("bytes_of_yaml_aliases_fails_closed", "kubectl's YAML, not the server's"),
    ("corrupt_utf16_behind_a_document_fails_closed", "kubectl's YAML, not the server's"),
    ("of_keys_of_two_types_the_last_is_kept", "the server's choice is random"),
    ("nested_yaml_fails_closed", "kubectl's YAML, not the server's"),
    ("digits_of_a_sum_fails_closed", "takes all memory"),
    ("memory_of_an_evaluation_fails_closed", "takes all memory"),
    ("nodes_of_an_expression_fails_closed", "takes all memory"),
    ("parts_of_a_type_fails_closed", "takes all memory"),
    ("levels_of_a_type_fails_closed", "takes minutes"),
    ("steps_of_an_evaluation_fails_closed", "does not end"),
    ("values_in_errors_end", "takes minutes"),
    ("listed_duplicate_fields_end", "differs only in lists of megabytes"),
    ("listed_errors_end", "differs only in lists of megabytes"),
    ("listed_unknown_fields_end", "differs only in lists of megabytes"),
    ("maps_are_walked_in_the_order_of_their_keys", "the server's order is random"),
    ("sorting_is_stable", "the server's order of equal elements is unspecified"),
];

fn crd(spec: &Value) -> Value {
    crd_fixtures::crd("example.com", "Tab")
        .cluster()
        .spec("v1", spec)
        .set("/metadata/uid", "u")
        .set("/metadata/resourceVersion", "7")
        .set("/status", json!({"storedVersions": ["v1"]}))
        .json()
}

fn definition(crd: &Value) -> Value {
    json!({"op": "crd", "crd": crd})
}

fn object(schema: &Value, spec: &Value) -> Value {
    json!({"op": "object", "crd": crd(schema), "object": {
        "apiVersion": "example.com/v1", "kind": "Tab", "metadata": {"name": "one"}, "spec": spec}})
}

/// An object with one field, of this schema.
fn field(schema: &Value, value: &Value) -> Value {
    object(&json!({"type": "object", "properties": {"f": schema}}), &json!({"f": value}))
}

/// An object whose `spec` has a rule.
fn rule(rule: &str) -> Value {
    object(&json!({"type": "object", "x-kubernetes-validations": [{"rule": rule}]}), &json!({}))
}

/// A rule that builds lists of `rounds` times a hundred levels. No brackets of its text nest deeper than a hundred
/// levels, and `dyn` hides the depth from the type checker.
fn nested(rounds: usize) -> Value {
    let round = format!(".map(x, dyn({}x{}))", "[".repeat(100), "]".repeat(100));
    rule(&format!("[dyn(1)]{}.all(y, y == y)", round.repeat(rounds)))
}

fn rules() -> Vec<(&'static str, Value, ServerAnswer)> {
    let twice =
        |key: &str| rule(&format!("[{key}, {key}].transformMapEntry(i, v, {{v: i}}).size() > 0"));
    let keys = "keys_that_stand_twice_print_as_cel_writes_them";
    let messages = "messages_of_json_keep_their_integers";
    let fields = "fields_of_messages_take_any_value_fails_open";
    let urls = "texts_of_urls_are_utf8";
    vec![
        (
            "empty_lists_bound_by_opt_map_keep_their_value",
            rule("optional.of([]).optMap(x, x + [1] + x).value() == [1, 1]"),
            Fine,
        ),
        (keys, twice("duration('61s')"), Error("key 1m1s already exists")),
        (
            keys,
            twice("timestamp('2009-11-10T23:00:00Z')"),
            Error("key 2009-11-10 23:00:00 +0000 UTC already exists"),
        ),
        (keys, twice("ip('1.2.3.4')"), Error("key 1.2.3.4 already exists")),
        ("types_are_no_texts_for_patterns", rule("dyn(int).matches('int')"), Fine),
        (
            urls,
            rule("url('/?a=%ff').getQuery()['a'][0] != url('/?a=%fe').getQuery()['a'][0]"),
            Fine,
        ),
        (
            fields,
            rule("google.protobuf.StringValue{value: dyn(1)} == '1'"),
            Error("unsupported type conversion from 'int' to string"),
        ),
        (
            fields,
            rule("google.protobuf.Duration{seconds: dyn('a')} == duration('0s')"),
            Error("unsupported native conversion from string to 'int64'"),
        ),
        (
            "sums_of_bytes_keep_their_value",
            rule("['x', 'y'].map(e, b'a' + bytes(e)).map(s, string(s)) == ['ay', 'ay']"),
            Fine,
        ),
        ("levels_of_a_value_fails_closed", nested(8), Fine),
        (
            "zeros_keep_the_first_of_two_keys",
            rule("string({dyn(0.0): 1, dyn(-0.0): 2}.map(k, k)[0]) == '-0'"),
            Fine,
        ),
        (
            "numbers_of_more_than_800_digits_keep_their_value",
            rule(&format!("double('1{}e-800') == 0.1", "0".repeat(800))),
            Fine,
        ),
        (messages, rule("type(google.protobuf.Struct{fields: {'a': 1}}.a) == double"), Fine),
        (messages, rule("type(google.protobuf.ListValue{values: [1]}[0]) == double"), Fine),
        (messages, rule("google.protobuf.Empty{} == google.protobuf.Empty{}"), Fine),
        (
            "a_mark_of_newer_unicode_has_its_newer_category",
            rule("'\u{1171E}'.matches('^\\\\p{Mn}$')"),
            Fine,
        ),
    ]
}

fn definitions() -> Vec<(&'static str, Value, ServerAnswer)> {
    let mut deep = json!({"type": "object"});
    for _ in 0..80 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    let optional = json!({"type": "object",
        "x-kubernetes-validations": [{"rule": "{?'a': dyn(1)}.size() == 1"}]});
    let any = json!({"type": "object",
        "properties": {"m": {"type": "object", "additionalProperties": true}},
        "x-kubernetes-validations": [{"rule": "true", "fieldPath": ".m.a.b"}]});
    let mut unversioned = crd(&json!({"type": "object"}));
    unversioned["spec"]["versions"] = json!([]);
    let mut selectable = crd(&json!({"type": "array", "items": [{"type": "string"}]}));
    selectable["spec"]["versions"][0]["selectableFields"] = json!([{"jsonPath": ".spec.a"}]);

    let mut established = crd(&json!({"type": "object"}));
    established["status"]["conditions"] = json!([{"type": "Established", "status": "True"}]);
    let mut bundled = established.clone();
    bundled["spec"]["conversion"] = json!({"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://example.com", "caBundle": MALFORMED_CERTIFICATE}}});
    let bundled = json!({"op": "crd", "crd": bundled, "old": established});

    vec![
        ("nested_schemas_fails_closed", definition(&crd(&deep)), Fine),
        ("optional_entries_of_any_type_fails_closed", definition(&crd(&optional)), Crash),
        ("field_paths_below_any_properties_fails_closed", definition(&crd(&any)), Crash),
        (
            "an_empty_list_of_versions_prints_as_null",
            definition(&unversioned),
            Error("spec.versions: Invalid value: []:"),
        ),
        (
            "selectable_fields_without_a_structural_schema_fails_closed",
            definition(&selectable),
            Crash,
        ),
        ("certificates_of_webhooks_fails_open", bundled, Error("malformed")),
    ]
}

/// An ASN.1 sequence in a sequence, as PEM, in base64.
const MALFORMED_CERTIFICATE: &str =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BSXdBQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";

fn objects() -> Vec<(&'static str, Value, ServerAnswer)> {
    let nested = (0..600).fold(json!([]), |inner, _| json!([inner]));
    let bytes = json!({"type": "string", "format": "byte"});
    let time = json!({"type": "string", "format": "date-time"});
    let two_lists = |of: &Value, is_set: bool, rule: &str| {
        let mut list = json!({"type": "array", "items": of});
        if is_set {
            list["x-kubernetes-list-type"] = json!("set");
        }
        json!({"type": "object", "properties": {"a": list, "b": list},
            "x-kubernetes-validations": [{"rule": rule}]})
    };
    let hour = "2026-01-31T09:00:00+01:00";
    vec![
        (
            "times_with_an_offset_are_never_equal_in_sets_fails_closed",
            object(&two_lists(&time, true, "self.a == self.b"), &json!({"a": [hour], "b": [hour]})),
            Fine,
        ),
        (
            "wrong_elements_are_not_in_sums_of_lists_fails_open",
            object(
                &two_lists(&bytes, false, "!sets.contains([b'x'] + self.a, self.b)"),
                &json!({"a": ["eA=="], "b": [[]]}),
            ),
            Error("invalid data, expected string"),
        ),
        (
            "nested_objects_fails_closed",
            object(&json!({"type": "object"}), &json!({"unknown": nested})),
            Fine,
        ),
        (
            "almost_integers_are_admitted_and_do_not_deserialize",
            field(&json!({"x-kubernetes-int-or-string": true}), &json!(1.000_000_000_000_1)),
            Fine,
        ),
        (
            "fractions_of_nanoseconds_are_admitted_and_do_not_deserialize",
            field(&time, &json!("2024-01-01T00:00:00.1234567891Z")),
            Fine,
        ),
        (
            "lists_for_formatted_strings_are_admitted_and_do_not_deserialize",
            field(&bytes, &json!([])),
            Fine,
        ),
        (
            "great_unsigned_integers_serialize_and_are_rejected",
            field(&json!({"type": "integer", "format": "int64"}), &json!(u64::MAX)),
            Error("must be of type integer"),
        ),
        (
            "empty_bytes_serialize_and_are_rejected",
            field(&bytes, &json!("")),
            Error("of type byte"),
        ),
    ]
}

#[test]
#[ignore = "Go builds the code of the server: run it with --ignored, as CI does"]
fn the_server_answers_as_each_row_says() {
    let program = go::build_oracle(KubernetesVersion::REFERENCE).expect("the oracle builds");
    let mut oracle = Oracle::start(&program, 1).expect("starts");
    for (row, question, says) in rules().into_iter().chain(definitions()).chain(objects()) {
        let answer = oracle.ask(&[question]).expect("answers").remove(0);
        let errors: Option<Vec<&str>> = answer["errors"]
            .as_array()
            .map(|errors| errors.iter().filter_map(|error| error["error"].as_str()).collect());
        let failure = answer["failure"].as_str().unwrap_or_default();
        let as_said = match (says, errors) {
            (Fine, Some(errors)) => errors.is_empty(),
            (Error(text), Some(errors)) => errors.iter().any(|error| error.contains(text)),
            (Crash, None) => failure.starts_with("panic: "),
            _ => false,
        };
        assert!(as_said, "{row}: not {says:?}: {answer}");
    }
}

#[test]
fn each_row_of_the_page_is_checked_or_has_a_reason_not_to_be() {
    let all = rules().into_iter().chain(definitions()).chain(objects());
    let mut known: BTreeSet<&str> = all.map(|(row, ..)| row).collect();
    known.extend(NOT_CHECKED.map(|(row, _)| row));
    let page = include_str!("../../../docs/guide/src/differences.md");
    let (page, _) =
        page.split_once("\n### The in-process API server").expect("a table of the server");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    assert_eq!(rows.map(|(name, _)| name).collect::<BTreeSet<_>>(), known);
}
