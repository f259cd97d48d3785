//! CEL's own conformance tests: values and errors.
//!
//! A test is evaluated in the environment of CRD rules. If the expression does not compile there, because that
//! environment is stricter than the language, it is evaluated unchecked, like the tests with `disable_check`.

use std::path::Path;

use crd_cel::checked::Checked;
use crd_cel::env::Env;
use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::plan::Program;
use crd_cel::syntax;
use serde_json::Value;

use super::cel_env::{bindings, environment, text};
use super::{Report, cases, cel_value};

/// The files with tests in scope.
const FILES: [&str; 19] = [
    "basic",
    "comparisons",
    "conversions",
    "dynamic",
    "fields",
    "fp_math",
    "integer_math",
    "lists",
    "logic",
    "macros",
    "macros2",
    "namespace",
    "network_ext",
    "optionals",
    "parse",
    "plumbing",
    "string",
    "string_ext",
    "timestamps",
];

const FOLDED: &str = "a constant that is no possible index is an error of the whole expression";
const BACKTICKS: &str = "Kubernetes does not enable quoted field names";
const CEL_GO: &str = "cel-go answers otherwise, and skips the test";
const CONTAINER: &str = "Kubernetes has no containers; cel-go 0.26 looks into them first";
const LATER_FORMAT: &str = "of version 4 of the extended strings; Kubernetes enables version 2";
const MAPPED: &str = "the server rejects IPv4 addresses written as IPv6 addresses";
const NOT_ENABLED: &str = "of version 3 of the extended strings; Kubernetes enables version 2";

/// Tests out of scope, by file, section and name (empty: all), with the reason. Files not in [`FILES`] are out of scope
/// as a whole: `proto2`, `proto2_ext`, `proto3`, `enums` and `wrappers` test protobuf messages; `bindings_ext`,
/// `block_ext`, `encoders_ext` and `math_ext` test extensions that Kubernetes does not enable; `type_deduction` is part
/// of the suite `cel-env`.
const OUT_OF_SCOPE: &[(&str, &str, &str, &str)] = &[
    ("fields", "map_fields", "map_bad_key_type_or_true", FOLDED),
    ("fields", "map_fields", "map_bad_key_type_and_false", FOLDED),
    ("fields", "quoted_map_fields", "", BACKTICKS),
    ("fields", "qualified_identifier_resolution", "map_key_float", CEL_GO),
    ("fields", "qualified_identifier_resolution", "map_value_repeat_key", CEL_GO),
    ("network_ext", "ipv4", "ipv4_equals_ipv6", MAPPED),
    ("network_ext", "ipv4", "ipv4_not_equals_ipv6", MAPPED),
    ("namespace", "namespace", "self_eval_container_lookup_unchecked", CONTAINER),
    ("namespace", "namespace_shadowing", "comprehension_shadowing", CONTAINER),
    ("namespace", "namespace_shadowing", "comprehension_shadowing_disambiguation", CONTAINER),
    ("namespace", "namespace_shadowing", "comprehension_shadowing_selector", CONTAINER),
    ("namespace", "namespace_shadowing", "comprehension_shadowing_selector_parse_only", CONTAINER),
    ("namespace", "namespace_shadowing", "comprehension_shadowing_namespaced_selector", CONTAINER),
    ("namespace", "namespace_shadowing", "comprehension_shadowing_nesting", CONTAINER),
    ("optionals", "optionals", "map_null_entry_no_such_key", CEL_GO),
    ("optionals", "optionals", "map_present_key_invalid_field", CEL_GO),
    ("string_ext", "format", "scientific notation formatting clause", LATER_FORMAT),
    ("string_ext", "format", "default precision for fixed-point clause with int", LATER_FORMAT),
    ("string_ext", "format", "default precision for fixed-point clause with uint", LATER_FORMAT),
    ("string_ext", "format", "default precision for scientific notation", LATER_FORMAT),
    ("string_ext", "format", "default precision for scientific notation with int", LATER_FORMAT),
    ("string_ext", "format", "default precision for scientific notation with uint", LATER_FORMAT),
    ("string_ext", "format", "NaN support for scientific notation", LATER_FORMAT),
    ("string_ext", "format", "positive infinity support for scientific notation", LATER_FORMAT),
    ("string_ext", "format", "negative infinity support for scientific notation", LATER_FORMAT),
    ("string_ext", "format", "NaN support for decimal", LATER_FORMAT),
    ("string_ext", "format", "positive infinity support for decimal", LATER_FORMAT),
    ("string_ext", "format", "negative infinity support for decimal", LATER_FORMAT),
    ("string_ext", "format", "positive infinity support for fixed-point", LATER_FORMAT),
    ("string_ext", "format", "negative infinity support for fixed-point", LATER_FORMAT),
    ("string_ext", "format", "list support for string", LATER_FORMAT),
    ("string_ext", "format", "map support for string", LATER_FORMAT),
    ("string_ext", "format", "map support (all key types)", LATER_FORMAT),
    ("string_ext", "format", "dyntype support for scientific notation", LATER_FORMAT),
    ("string_ext", "format", "dyntype NaN/infinity support", LATER_FORMAT),
    ("string_ext", "format", "dyntype support for lists", LATER_FORMAT),
    ("string_ext", "format", "dyntype support for maps", LATER_FORMAT),
    (
        "string_ext",
        "format",
        "scientific notation formatting clause in a string variable",
        LATER_FORMAT,
    ),
    ("string_ext", "value_errors", "indexof_out_of_range", CEL_GO),
    ("string_ext", "value_errors", "lastindexof_out_of_range", CEL_GO),
    ("string_ext", "reverse", "", NOT_ENABLED),
    ("timestamps", "duration_converters", "get_milliseconds", CEL_GO),
];

/// Sections of [`FILES`] with tests that need protobuf messages or enums, which CRD rules do not have, and the number
/// of those tests ([`needs_protobuf`]).
#[cfg(test)]
const WITH_PROTOBUF: [(&str, &str, usize); 29] = [
    ("comparisons", "eq_literal", 2),
    ("comparisons", "eq_wrapper", 32),
    ("comparisons", "ne_literal", 10),
    ("dynamic", "any", 7),
    ("dynamic", "bool", 4),
    ("dynamic", "bytes", 4),
    ("dynamic", "complex", 1),
    ("dynamic", "double", 12),
    ("dynamic", "float", 16),
    ("dynamic", "int32", 16),
    ("dynamic", "int64", 4),
    ("dynamic", "list", 10),
    ("dynamic", "string", 4),
    ("dynamic", "struct", 12),
    ("dynamic", "uint32", 11),
    ("dynamic", "uint64", 7),
    ("dynamic", "value_bool", 8),
    ("dynamic", "value_list", 8),
    ("dynamic", "value_null", 6),
    ("dynamic", "value_number", 8),
    ("dynamic", "value_string", 8),
    ("dynamic", "value_struct", 8),
    ("optionals", "optionals", 11),
    ("parse", "comments", 1),
    ("parse", "nest", 1),
    ("parse", "repeat", 2),
    ("parse", "struct_field_names", 17),
    ("parse", "whitespace", 5),
    ("string_ext", "format_errors", 3),
];

/// Compares every test in scope.
pub(super) fn run(dir: &Path, report: &mut Report) {
    for file in FILES {
        let source = format!("cel/spec-{file}.jsonl");
        for (_, test) in cases(dir, &source, report) {
            let id = format!("{}/{}", text(&test, "section"), text(&test, "name"));
            if needs_protobuf(&test) || is_out_of_scope(&test) {
                continue;
            }
            match compare(&test, report.kubernetes) {
                Ok(()) => report.pass(&source, &id),
                Err(difference) => report.fail(&source, &id, difference),
            }
        }
    }
}

fn is_out_of_scope(test: &Value) -> bool {
    OUT_OF_SCOPE.iter().any(|(file, section, name, _)| {
        let matches = |key, out: &str| out.is_empty() || text(test, key) == out;
        matches("file", file) && matches("section", section) && matches("name", name)
    })
}

/// Whether a test mentions protobuf messages or enums, which CRD rules do not have.
fn needs_protobuf(test: &Value) -> bool {
    let mentions = |key: &str| {
        let part = test.get(key).map(Value::to_string).unwrap_or_default();
        ["cel.expr.conformance", "\"proto\"", "\"enum\"", "TestAllTypes", "NestedEnum"]
            .iter()
            .any(|name| part.contains(name))
    };
    ["expr", "container", "bindings", "type_env", "expect"].into_iter().any(mentions)
}

fn compare(test: &Value, version: KubernetesVersion) -> Result<(), String> {
    let source = text(test, "expr");
    let got = evaluate(test, source, version)?;
    let want = test.pointer("/expect/value");
    match (got, want) {
        (Ok(got), Some(want)) => {
            let want = cel_value::decode(want).ok_or("a value that cannot be read")?;
            let want = cel_value::render(&want);
            if got == want { Ok(()) } else { Err(format!("got  {got}\nwant {want}")) }
        }
        // The text is not compared: each implementation has its own.
        (Err(_), None) => Ok(()),
        (Err(error), Some(want)) => Err(format!("got  error: {error}\nwant {want}")),
        (Ok(got), None) => Err(format!("got  {got}\nwant an error")),
    }
}

/// Returns the value or the error of the expression. The outer error is why the test cannot be evaluated.
fn evaluate(
    test: &Value,
    source: &str,
    version: KubernetesVersion,
) -> Result<Result<String, String>, String> {
    let env = environment(test, version)?;
    let unchecked = test.get("disable_check") == Some(&Value::Bool(true));
    let expects_error = test.pointer("/expect/error").is_some();
    if !unchecked {
        match env.compile(source) {
            Ok(checked) => return Ok(evaluate_checked(test, &checked, &env)),
            Err(issues) if expects_error => return Ok(Err(issues.to_string())),
            Err(_) => {}
        }
    }
    let ast = match syntax::parse_in(source, Environment::new(version)) {
        Ok(ast) => ast,
        Err(issues) => return Ok(Err(issues.to_string())),
    };
    let mut env = env;
    for (name, _) in bindings(test) {
        env = env.with_variable(name, crd_cel::types::Type::Dyn, None);
    }
    Ok(evaluate_checked(test, &Checked::dynamic(ast), &env))
}

fn evaluate_checked(test: &Value, checked: &Checked, env: &Env) -> Result<String, String> {
    let program = Program::plan(checked, env).map_err(|error| error.to_string())?;
    let bindings = bindings(test);
    match program.eval(&bindings, u64::MAX).result {
        Ok(value) => Ok(cel_value::render(&value)),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    #[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
    fn tests_that_need_protobuf_are_listed() {
        let dir = crate::recorded();
        let mut report = Report::default();
        let mut found = BTreeMap::new();
        for file in FILES {
            for (_, test) in cases(&dir, &format!("cel/spec-{file}.jsonl"), &mut report) {
                if needs_protobuf(&test) {
                    *found.entry((file, text(&test, "section").to_owned())).or_default() += 1;
                }
            }
        }
        let listed =
            WITH_PROTOBUF.map(|(file, section, tests)| ((file, section.to_owned()), tests));
        assert_eq!(found, BTreeMap::from(listed));
    }
}
