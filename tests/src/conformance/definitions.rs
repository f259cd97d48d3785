//! Verdicts on writes of definitions: errors, warnings and estimated costs.
//!
//! Reads `kubernetes.jsonl` and `openshift-crds.json`. The order of errors is not compared.

use std::fmt::Write as _;
use std::path::Path;

use crd_cel::kubernetes::KubernetesVersion;
use crd_runtime::field::{Error, ErrorList, Path as FieldPath};
use crd_runtime::ruleset::RuleReport;
use crd_runtime::schema::Structural;
use crd_runtime::{Server, definition, ruleset};
use serde_json::{Value, json};

use super::{Depth, FieldError, Report, cases, comparable};

/// Runs the definitions of both files.
pub(super) fn run(dir: &Path, report: &mut Report) {
    for (_, case) in cases(dir, "kubernetes.jsonl", report) {
        let id = text(&case, "id");
        let prefix = id.split_inclusive('-').next().unwrap_or_default();
        check(&format!("kubernetes.jsonl {prefix} definition"), id, &case, report);
    }
    let source = "openshift-crds.json";
    let Ok(text) = std::fs::read(dir.join(source)) else { return };
    match serde_json::from_slice(&text) {
        Ok(Value::Object(definitions)) => {
            for (id, case) in definitions {
                check(source, &id, &case, report);
            }
        }
        Ok(_) => report.fail(source, "(file)", "no object".to_owned()),
        Err(error) => report.fail(source, "(file)", error.to_string()),
    }
}

/// Decides a vector. Returns how the verdict differs from its `expectCrd`, the verdict of a server; `None` if it
/// does not.
pub fn decide_definition(
    case: &Value,
    kubernetes: KubernetesVersion,
    depth: Depth,
) -> Option<String> {
    let mut report = Report::of(kubernetes, depth);
    check("", "", case, &mut report);
    report.outcomes.into_iter().find_map(|outcome| outcome.difference)
}

fn check(source: &str, id: &str, case: &Value, report: &mut Report) {
    let (Some(crd), Some(expected)) = (case.get("crd"), case.get("expectCrd")) else { return };
    let got = verdict(crd, case.get("oldCrd"), report.kubernetes);
    let want_decode = expected.get("decodeError").and_then(Value::as_str);
    let mut difference = String::new();
    match (got, want_decode) {
        (Ok((errors, warnings)), None) => {
            let kubernetes = report.kubernetes;
            let mut got: Vec<FieldError> =
                errors.iter().map(|error| comparable(parts(error), kubernetes)).collect();
            let mut want: Vec<FieldError> = list(expected, "errors")
                .map(|error| {
                    let keys = ["type", "field", "detail", "error"];
                    comparable(keys.map(|key| text(error, key).to_owned()), kubernetes)
                })
                .collect();
            got.sort_unstable();
            want.sort_unstable();
            report.aspect(source, "verdict", got.is_empty() == want.is_empty());
            report.aspect(source, "errors", got == want);
            if report.depth == Depth::Texts {
                compare(&got, &want, &mut difference);
                compare_warnings(warnings, expected, &mut difference);
            } else if got.is_empty() != want.is_empty() {
                compare(&got, &want, &mut difference);
            }
        }
        (got, want) => {
            let got = got.err();
            report.aspect(source, "verdict", got.is_some() == want.is_some());
            let agrees = match report.depth {
                Depth::Texts => got.as_deref() == want,
                Depth::Verdicts => got.is_some() == want.is_some(),
            };
            if !agrees {
                let _ = writeln!(difference, "decode error: {got:?}\n        want: {want:?}");
            }
        }
    }
    if let Some(expected) = case.get("expectRules").and_then(Value::as_array) {
        compare_rules(crd, expected, report, &mut difference);
    }
    if difference.is_empty() {
        report.pass(source, id);
    } else {
        report.fail(source, id, difference);
    }
}

/// Returns the errors and the warnings of creating a definition or, with `old`, of updating it.
fn verdict(
    crd: &Value,
    old: Option<&Value>,
    version: KubernetesVersion,
) -> Result<(ErrorList, Vec<String>), String> {
    let decode = |crd: &Value| {
        Server::of(version)
            .decode(crd)
            .map(|decoded| decoded.crd)
            .map_err(|error| error.to_string())
    };
    let crd = decode(crd)?;
    Ok(match old {
        Some(old) => {
            let old = decode(old)?;
            let warnings = Server::of(version).update_warnings(&crd, &old);
            (Server::of(version).validate_update(&crd, &old), warnings)
        }
        None => (Server::of(version).validate(&crd), Server::of(version).warnings(&crd)),
    })
}

/// Compares warnings, which not every recording has, without their order: the server finds some in random order.
fn compare_warnings(mut got: Vec<String>, expected: &Value, out: &mut String) {
    if expected.get("warnings").is_none() {
        return;
    }
    let mut want: Vec<&str> = list(expected, "warnings").filter_map(Value::as_str).collect();
    got.sort_unstable();
    want.sort_unstable();
    if got != want {
        let _ = writeln!(out, "warnings: {got:?}\n    want: {want:?}");
    }
}

/// Compares the estimated costs and the compile errors of the rules of the first version.
fn compare_rules(crd: &Value, expected: &[Value], report: &Report, out: &mut String) {
    let schema = definition::decode(crd).ok().and_then(|decoded| {
        decoded.crd.spec.versions.into_iter().next()?.schema?.open_api_v3_schema
    });
    let structural = schema.and_then(|schema| Structural::try_from(&schema).ok());
    let reports = structural
        .map(|schema| ruleset::estimate(&schema, &FieldPath::new("schema"), report.kubernetes))
        .unwrap_or_default();
    let mut got: Vec<Value> = reports.iter().map(estimate).collect();
    let mut expected = expected.to_vec();
    if report.depth == Depth::Verdicts {
        got.iter_mut().chain(&mut expected).for_each(reduce_to_verdict);
    }
    for want in &expected {
        match got.iter().position(|rule| rule == want) {
            Some(index) => drop(got.swap_remove(index)),
            None => {
                let _ = writeln!(out, "- rule {want}");
            }
        }
    }
    for rule in got {
        let _ = writeln!(out, "+ rule {rule}");
    }
}

/// Reduces a rule to its verdict: whether it compiles, and whether its cost is within the limit.
fn reduce_to_verdict(rule: &mut Value) {
    let number = |key: &str| rule.get(key).and_then(Value::as_u64).unwrap_or_default();
    let runs = rule.get("runs").map_or_else(|| number("requestRuns"), |_| number("runs"));
    let fits = |cost: u64| cost <= ruleset::RULE_COST_LIMIT;
    *rule = json!({
        "path": rule.get("path"),
        "compiles": rule.get("error").is_none() && rule.get("messageError").is_none(),
        "fits": fits(number("maxCost").saturating_mul(runs)),
        "messageFits": fits(number("messageCost")),
    });
}

/// Converts a report to the oracle's form.
fn estimate(report: &RuleReport) -> Value {
    let RuleReport { path, cost, uses_old_self, .. } = report;
    let is_message = |error: &String| error.starts_with("messageExpression");
    let error =
        if report.error.as_ref().is_some_and(is_message) { "messageError" } else { "error" };
    // The server counts only the runs of rules that compile.
    let compiles = report.error.as_ref().is_none_or(is_message) && !report.rule.trim().is_empty();
    let mut rule = json!({
        "path": path, "maxCost": cost, "usesOldSelf": uses_old_self,
        "requestRuns": if compiles { report.unbounded_runs } else { 0 },
    });
    let optional = [
        ("runs", report.bounded_runs.map(Value::from)),
        ("messageCost", report.message_cost.map(Value::from)),
        (error, report.error.as_ref().map(|error| crate::oracle::without_numbers(error).into())),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            rule[key] = value;
        }
    }
    rule
}

fn parts(error: &Error) -> FieldError {
    let without_numbers = crate::oracle::without_numbers;
    [
        error.kind.as_reason().to_owned(),
        error.field.clone(),
        without_numbers(&error.detail),
        without_numbers(&error.to_string()),
    ]
}

/// Writes the errors that only one side has.
fn compare(got: &[FieldError], want: &[FieldError], out: &mut String) {
    for (sign, these, others) in [("+", got, want), ("-", want, got)] {
        let mut others = others.to_vec();
        for error in these {
            if let Some(index) = others.iter().position(|other| other == error) {
                others.swap_remove(index);
            } else {
                let [kind, _, _, error] = error;
                let _ = writeln!(out, "{sign} {error} ({kind})");
            }
        }
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
