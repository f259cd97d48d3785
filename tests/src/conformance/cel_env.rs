//! CEL's conformance tests in the environment of CRD rules: issues, types, estimated costs, values, run-time costs.
//!
//! The verdicts of the server's code are in one file; the declarations and bindings of a case are in CEL's own test
//! files.

use std::collections::HashMap;
use std::path::Path;

use crd_cel::checked::Checked;
use crd_cel::cost;
use crd_cel::env::Env;
use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::plan::Program;
use crd_cel::types::Type;
use crd_cel::value;
use serde_json::Value;

use super::{Report, cases, cel_syntax, cel_value};

const SOURCE: &str = "cel/spec-in-k8s-env.jsonl";
const DEDUCTIONS: &str = "cel/spec-type_deduction.jsonl";

/// Type deductions that are out of scope, by section and name, with the reason.
const NOT_DEDUCED: &[(&str, &str)] = &[
    ("complex_initializers/struct", "a protobuf message"),
    ("field_access/int_field", "a protobuf message"),
    ("field_access/repeated_int_field", "a protobuf message"),
    ("field_access/map_bool_int", "a protobuf message"),
    ("field_access/enum_field", "a protobuf message"),
    ("field_access/repeated_enum_field", "a protobuf message"),
    ("field_access/enum_map_field", "a protobuf message"),
    ("flexible_type_parameter_assignment/optional_dyn_promotion", "a list of mixed types"),
    ("flexible_type_parameter_assignment/optional_dyn_promotion_2", "a list of mixed types"),
    ("legacy_nullable_types/null_assignable_to_abstract_parameter_candidate", "a mixed list"),
];

/// Cases that stop at one entry of a map: their recorded cost depends on the random order in which Go iterated over
/// the map.
const RANDOM_COST: &[(&str, &str)] =
    &[("macros/exists", "map_key"), ("macros/all", "map_key"), ("macros2/all", "map_key")];

/// Tests by file, section and name; several tests can have the same name.
type Tests = HashMap<(String, String, String), Vec<Value>>;

/// Compares every recorded verdict.
pub(super) fn run(dir: &Path, report: &mut Report) {
    let verdicts = cases(dir, SOURCE, report);
    let mut tests = Tests::new();
    let mut seen: HashMap<(String, String, String), usize> = HashMap::new();
    for (_, verdict) in &verdicts {
        let key = key(verdict);
        if !tests.keys().any(|(file, ..)| *file == key.0) {
            read_tests(dir, &key.0, &mut tests, report);
        }
        let nth = seen.entry(key.clone()).or_default();
        *nth += 1;
        let mut id = format!("{}/{}/{}", key.0, key.1, key.2);
        if *nth > 1 {
            id = format!("{id}#{nth}");
        }
        let Some(test) = tests.get(&key).and_then(|tests| tests.get(*nth - 1)) else {
            report.fail(SOURCE, &id, "no such test".to_owned());
            continue;
        };
        // Recorded without an environment, because it needs protobuf messages.
        if verdict.get("skip").is_some() {
            continue;
        }
        let differences = Case { verdict, test }.compare(report);
        match differences.as_slice() {
            [] => report.pass(SOURCE, &id),
            _ => report.fail(SOURCE, &id, differences.join("\n")),
        }
    }
    for (_, test) in cases(dir, DEDUCTIONS, report) {
        compare_deduction(&test, report);
    }
}

/// A recorded verdict and the test it is about.
struct Case<'a> {
    verdict: &'a Value,
    test: &'a Value,
}

impl Case<'_> {
    /// Returns the differences, one for each aspect.
    fn compare(&self, report: &mut Report) -> Vec<String> {
        let env = match environment(self.test, report.kubernetes) {
            Ok(env) => env,
            Err(why) => return vec![why],
        };
        let kubernetes = report.kubernetes;
        let mut differences = Vec::new();
        let mut aspect = |aspect: &'static str, got: &str, want: &str| {
            report.aspect(SOURCE, aspect, got == want);
            if got != want {
                differences.push(format!("{aspect}:\n  got  {got}\n  want {want}"));
            }
        };
        let compiled = env.compile(text(self.verdict, "expr"));
        let issues = compiled.as_ref().err().map(ToString::to_string).unwrap_or_default();
        aspect("issues", &issues, text(self.verdict, "issues"));
        let parsed = cel_syntax::parse_errors(text(self.verdict, "expr"), kubernetes);
        aspect("syntax", &parsed, cel_syntax::parser_issues(text(self.verdict, "issues")));
        if let Ok(checked) = &compiled
            && self.verdict.get("issues").is_none()
        {
            aspect("type", &checked.result_type().to_string(), text(self.verdict, "type"));
            let estimate = cost::estimate(checked, &env);
            let want =
                format!("{}..{}", text(self.verdict, "est_min"), text(self.verdict, "est_max"));
            aspect("estimate", &format!("{}..{}", estimate.min, estimate.max), &want);
            self.compare_evaluation(checked, &env, &mut aspect);
        }
        differences
    }

    /// Plans and evaluates, with the test's bindings.
    fn compare_evaluation(
        &self,
        checked: &Checked,
        env: &Env,
        aspect: &mut impl FnMut(&'static str, &str, &str),
    ) {
        let program = match Program::plan(checked, env) {
            Ok(program) => program,
            Err(error) => {
                return aspect("program", &error.to_string(), text(self.verdict, "program_err"));
            }
        };
        aspect("program", "", text(self.verdict, "program_err"));
        if self.verdict.get("cost").is_none() {
            return;
        }
        let bindings = bindings(self.test);
        let outcome = program.eval(&bindings, u64::MAX);
        let want = match self.verdict.get("value") {
            Some(want) => cel_value::decode(want)
                .map_or_else(|| want.to_string(), |want| cel_value::render(&want)),
            None => format!("error: {}", text(self.verdict, "error")),
        };
        let got = match &outcome.result {
            Ok(value) => cel_value::render(value),
            Err(error) => format!("error: {error}"),
        };
        aspect("value", &got, &want);
        let section = format!("{}/{}", text(self.verdict, "file"), text(self.verdict, "section"));
        if RANDOM_COST.contains(&(section.as_str(), text(self.verdict, "name"))) {
            return;
        }
        aspect("cost", &outcome.cost.to_string(), text(self.verdict, "cost"));
    }
}

/// Returns the variables to which a test binds values, except for those that need protobuf.
pub(super) fn bindings(test: &Value) -> Vec<(&str, value::Value<'static>)> {
    let bindings = test.get("bindings").and_then(Value::as_object).into_iter().flatten();
    bindings.filter_map(|(name, value)| Some((name.as_str(), cel_value::decode(value)?))).collect()
}

/// Compares the type of an expression with the one that CEL's own tests expect, if the environment declares all that
/// the test needs.
fn compare_deduction(test: &Value, report: &mut Report) {
    let id = format!("{}/{}", text(test, "section"), text(test, "name"));
    let Some(want) = test.pointer("/expect/type").and_then(Value::as_str) else { return };
    // The test declares a function or a protobuf message.
    let Ok(env) = environment(test, report.kubernetes) else { return };
    if NOT_DEDUCED.iter().any(|(out, _)| *out == id) {
        return;
    }
    let want = want.replace("null_type", "null");
    let got = match env.compile(text(test, "expr")) {
        Ok(checked) => checked.result_type().to_string(),
        Err(issues) => issues.to_string(),
    };
    if got == want {
        report.pass(DEDUCTIONS, &id);
    } else {
        report.fail(DEDUCTIONS, &id, format!("got  {got}\nwant {want}"));
    }
}

fn read_tests(dir: &Path, file: &str, tests: &mut Tests, report: &mut Report) {
    for (_, test) in cases(dir, &format!("cel/spec-{file}.jsonl"), report) {
        tests.entry(key(&test)).or_default().push(test);
    }
}

fn key(case: &Value) -> (String, String, String) {
    let part = |name| text(case, name).to_owned();
    (part("file"), part("section"), part("name"))
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the environment of a test, with its variables and its container.
pub(super) fn environment(test: &Value, version: KubernetesVersion) -> Result<Env, String> {
    let mut env = Env::of(Environment::new(version)).with_container(text(test, "container"));
    for declared in test.get("type_env").and_then(Value::as_array).into_iter().flatten() {
        let name = declared.get("var").and_then(Value::as_str).ok_or("declares a function")?;
        let ty = text(declared, "type");
        let ty = parse_type(ty).ok_or_else(|| format!("no type {ty}"))?;
        env = env.with_variable(name, ty, None);
    }
    Ok(env)
}

/// Parses a type in the tests' syntax.
fn parse_type(text: &str) -> Option<Type> {
    let primitive = match text {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "dyn" | "google.protobuf.Value" => Type::Dyn,
        "null_type" => Type::Null,
        "google.protobuf.Duration" => Type::Duration,
        "google.protobuf.Timestamp" => Type::Timestamp,
        "google.protobuf.Any" => Type::Any,
        "google.protobuf.ListValue" => Type::list(Type::Dyn),
        "google.protobuf.Struct" => Type::map(Type::String, Type::Dyn),
        "google.protobuf.BoolValue" => Type::Wrapper(Type::Bool.into()),
        "google.protobuf.BytesValue" => Type::Wrapper(Type::Bytes.into()),
        "google.protobuf.DoubleValue" | "google.protobuf.FloatValue" => {
            Type::Wrapper(Type::Double.into())
        }
        "google.protobuf.Int32Value" | "google.protobuf.Int64Value" => {
            Type::Wrapper(Type::Int.into())
        }
        "google.protobuf.UInt32Value" | "google.protobuf.UInt64Value" => {
            Type::Wrapper(Type::Uint.into())
        }
        "google.protobuf.StringValue" => Type::Wrapper(Type::String.into()),
        _ => return parse_generic(text),
    };
    Some(primitive)
}

fn parse_generic(text: &str) -> Option<Type> {
    let (name, params) = text.strip_suffix(')')?.split_once('(')?;
    match name {
        "list" => Some(Type::list(parse_type(params)?)),
        "map" => {
            let (key, value) = params.split_once(", ")?;
            Some(Type::map(parse_type(key)?, parse_type(value)?))
        }
        _ => None,
    }
}
