//! `cel/crd-rules.jsonl`: a rule in a schema, checked, estimated, and evaluated over an object.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path as FilePath;

use crd_cel::kubernetes::KubernetesVersion;
use crd_runtime::Server;
use crd_runtime::field::{ErrorList, Path};
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::ruleset::{self, Options};
use serde_json::{Value, json};

use super::{Report, cases};

const SOURCE: &str = "cel/crd-rules.jsonl";

/// Compares the errors of the schema, the estimates, the errors of the object, and the cost.
pub(super) fn run(dir: &FilePath, report: &mut Report) {
    for (_, case) in cases(dir, SOURCE, report) {
        let id = case.get("id").and_then(Value::as_str).unwrap_or_default();
        match compare(&case, report.kubernetes) {
            Ok(aspects) => {
                let mut differences = String::new();
                for (aspect, want, got) in aspects {
                    report.aspect(SOURCE, aspect, want == got);
                    if want != got {
                        let _ = writeln!(differences, "{aspect}\nwant {want}\ngot  {got}");
                    }
                }
                if differences.is_empty() {
                    report.pass(SOURCE, id);
                } else {
                    let rule = case.get("rule").and_then(Value::as_str).unwrap_or_default();
                    report.fail(SOURCE, id, format!("{rule}\n{differences}"));
                }
            }
            Err(error) => report.fail(SOURCE, id, error),
        }
    }
}

/// The compared aspects of a case: name, expected text and text found.
type Aspects = Vec<(&'static str, String, String)>;

fn compare(case: &Value, kubernetes: KubernetesVersion) -> Result<Aspects, String> {
    let expected = case.get("expect").unwrap_or(&Value::Null);
    let crd = crd_fixtures::crd("x.test", "Foo").cluster().version("v1", case.get("schema")).json();
    let crd: CustomResourceDefinition =
        serde_json::from_value(crd).map_err(|error| error.to_string())?;
    let schema = Server::of(kubernetes).compile(&crd, "v1").map_err(|error| error.to_string())?;
    let structural = schema.structural().ok_or("no schema")?;
    let path = Path::new("spec.validation.openAPIV3Schema");
    let checked = {
        let options = Options { kubernetes, ..Options::default() };
        ruleset::check_rules(structural, &path, &BTreeSet::new(), options)
    };
    let mut aspects = vec![("schema", texts(expected.get("crdErrors")), lines(&checked))];

    let reports = ruleset::report(structural, &path, kubernetes);
    let found: Vec<Value> = reports
        .iter()
        .map(|report| match &report.error {
            Some(_) => json!({"rule": report.rule}),
            None => {
                json!({"rule": report.rule, "maxCost": report.cost, "card": report.unbounded_runs})
            }
        })
        .collect();
    let compiled: Vec<Value> = expected
        .get("compile")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|rule| match rule.get("err") {
            Some(_) => json!({"rule": rule.get("rule")}),
            None => rule.clone(),
        })
        .collect();
    aspects.push(("estimate", json!(compiled).to_string(), json!(found).to_string()));

    let object = case.get("object").unwrap_or(&Value::Null);
    let evaluation = schema.evaluate_rules(object, case.get("old"));
    aspects.push(("object", texts(expected.get("errors")), lines(&evaluation.errors)));
    // The cost of a schema that the server rejects is not compared.
    if checked.is_empty() {
        let cost = evaluation.cost.map_or(Value::Null, Into::into);
        let want = expected.get("cost").unwrap_or(&Value::Null);
        aspects.push(("cost", want.to_string(), cost.to_string()));
    }
    Ok(aspects)
}

/// Joins texts in sorted order, one per line, without the numbers that differ from run to run of the server.
fn sorted(texts: impl Iterator<Item = String>) -> String {
    let mut texts: Vec<String> = texts.map(|text| crate::oracle::without_numbers(&text)).collect();
    texts.sort();
    texts.join("\n")
}

fn texts(expected: Option<&Value>) -> String {
    let texts = expected.and_then(Value::as_array).into_iter().flatten();
    sorted(texts.filter_map(Value::as_str).map(str::to_owned))
}

fn lines(errors: &ErrorList) -> String {
    sorted(errors.iter().map(ToString::to_string))
}
