//! Verdicts on writes of objects: what is stored, unknown fields, errors, warnings and costs.
//!
//! Reads `kubernetes.jsonl` and `openshift.jsonl`, the latter with the definitions of `openshift-crds.json`. The order
//! of unknown fields is compared, that of errors is not.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;

use crd_cel::kubernetes::KubernetesVersion;
use crd_runtime::admit::{self, Admitted, Operation, Rejection, Write, scale};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::field::ErrorList;
use crd_runtime::{Server, json as server_json, rules};
use serde_json::{Map, Value, json};

use super::{Depth, FieldError, Report, cases, comparable};
use crate::oracle::without_numbers;

/// Runs the objects of both files.
pub(super) fn run(dir: &Path, report: &mut Report) {
    let mut suite = Objects::of(report.kubernetes, report.depth);
    for (_, case) in cases(dir, "kubernetes.jsonl", report) {
        let id = text(&case, "id");
        let prefix = id.split_inclusive('-').next().unwrap_or_default();
        suite.case(&format!("kubernetes.jsonl {prefix}"), id, &case, report);
    }
    let path = dir.join("openshift-crds.json");
    if let Ok(definitions) = std::fs::read(path) {
        match serde_json::from_slice(&definitions) {
            Ok(definitions) => suite.definitions = definitions,
            Err(error) => report.fail("openshift-crds.json", "(file)", error.to_string()),
        }
    }
    for (_, case) in cases(dir, "openshift.jsonl", report) {
        suite.case("openshift.jsonl", text(&case, "id"), &case, report);
    }
}

/// Decides writes, and caches the compiled schema of each definition.
#[derive(Debug, Default)]
pub struct Objects {
    /// The version of the server that gave the verdicts.
    kubernetes: KubernetesVersion,
    depth: Depth,
    /// The definitions to which cases refer by name.
    definitions: Map<String, Value>,
    /// Compiled schemas, by definition and version.
    schemas: HashMap<(String, String), Result<CompiledSchema, String>>,
}

/// The most compiled schemas in the cache; generated definitions are used only once.
const MAX_SCHEMAS: usize = 4_096;

impl Objects {
    /// Creates an empty cache for a server version.
    pub fn of(kubernetes: KubernetesVersion, depth: Depth) -> Self {
        Self { kubernetes, depth, ..Self::default() }
    }

    /// Decides a vector. Returns how the verdict differs from its `expectObject`; `None` if it does not.
    pub fn decide(&mut self, case: &Value) -> Option<String> {
        if self.schemas.len() > MAX_SCHEMAS {
            self.schemas.clear();
        }
        let mut report = Report::of(self.kubernetes, self.depth);
        self.case("", "", case, &mut report);
        report.outcomes.into_iter().find_map(|outcome| outcome.difference)
    }

    /// Decides the read (`scale` is null) or write of a scale. Returns how the answer differs from its `expectScale`;
    /// `None` if it does not.
    pub fn decide_scale(&mut self, case: &Value) -> Option<String> {
        if self.schemas.len() > MAX_SCHEMAS {
            self.schemas.clear();
        }
        let expected = case.get("expectScale")?;
        let crd = case.get("crd")?;
        let key = (crd.to_string(), "v1".to_owned());
        let schema =
            match self.schemas.entry(key).or_insert_with(|| compile(crd, "v1", self.kubernetes)) {
                Ok(schema) => schema,
                Err(error) => return Some(format!("the definition does not compile: {error}")),
            };
        let scale = case.get("scale").filter(|scale| !scale.is_null());
        let mut got = scaled(schema, case.get("old")?, scale);
        let mut want = expected_scale(expected);
        if self.depth == Depth::Verdicts {
            [&mut got, &mut want].into_iter().for_each(without_texts);
        }
        // Compares Go's renderings, in which equal numbers have the same text.
        let differs = server_json::to_go_string(&got) != server_json::to_go_string(&want);
        differs.then(|| format!("scale: {got}\n want: {want}\n"))
    }

    fn case(&mut self, source: &str, id: &str, case: &Value, report: &mut Report) {
        let Some(expected) = case.get("expectObject") else { return };
        let version = case.get("version").and_then(Value::as_str).unwrap_or("v1");
        let (crd, expected_crd) = match case.get("crd") {
            Some(Value::String(key)) => {
                let Some(entry) = self.definitions.get(key) else {
                    return report.fail(source, id, format!("no definition {key}"));
                };
                (entry.get("crd").unwrap_or(&Value::Null), entry.get("expectCrd"))
            }
            Some(crd) => (crd, case.get("expectCrd")),
            None => return report.fail(source, id, "no definition".to_owned()),
        };
        let key = match case.get("crd") {
            Some(Value::String(key)) => key.clone(),
            _ => crd.to_string(),
        };
        let schema = match self.schemas.entry((key, version.to_owned())) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(compile(crd, version, self.kubernetes)),
        };
        let schema = match schema {
            Ok(schema) => schema,
            Err(error) => {
                // A definition that the server rejects need not compile.
                if !is_rejected(expected_crd) {
                    report.fail(source, id, format!("the definition does not compile: {error}"));
                }
                return;
            }
        };
        let object = case.get("object").cloned().unwrap_or_default();
        let old = case.get("old");
        let operation = match (old, text(case, "subresource")) {
            (None, _) => Operation::Create,
            (Some(old), "status") => Operation::UpdateStatus(old),
            (Some(old), _) => Operation::Update(old),
        };
        let result = match case.get("text").and_then(Value::as_str) {
            Some(text) => Write::new(operation).admit_slice(schema, text.as_bytes()),
            None => Write::new(operation).admit(schema, object),
        };
        let want_cost = expected.get("celCost").and_then(Value::as_u64);
        let cost = want_cost.and_then(|_| cost(schema, &result, old));
        let mut difference =
            compare(expected, result, (self.kubernetes, self.depth), &mut |aspect, agrees| {
                report.aspect(source, aspect, agrees);
            });
        if want_cost.is_some() {
            report.aspect(source, "cost", cost == want_cost);
            if cost != want_cost && self.depth == Depth::Texts {
                let text = format!("cost: {cost:?}\nwant: {want_cost:?}\n");
                difference.get_or_insert_default().push_str(&text);
            }
        }
        match difference {
            None => report.pass(source, id),
            Some(difference) => report.fail(source, id, difference),
        }
    }
}

/// Reads or writes a scale, and returns the answer in the oracle's form.
fn scaled(schema: &CompiledSchema, stored: &Value, written: Option<&Value>) -> Value {
    let Ok(read) = admit::read(schema, stored.clone()) else { return json!("unreadable") };
    let Some(written) = written else {
        return match scale::get(schema, &read) {
            Ok(scale) => json!({"scale": server_json::stored(scale)}),
            Err(error) => json!({"message": error.to_string()}),
        };
    };
    let object = match scale::put(schema, written, &read) {
        Ok(object) => object,
        Err(error) => return json!({"message": error.to_string()}),
    };
    match Write::new(Operation::UpdateScale(stored)).admit(schema, object) {
        Ok(admitted) => {
            let object = admitted.object;
            match scale::get(schema, &object) {
                Ok(scale) => json!({"scale": server_json::stored(scale), "object": object}),
                Err(error) => json!({"message": error.to_string()}),
            }
        }
        Err(Rejection::Invalid(invalid)) => {
            let texts = invalid.errors.iter().map(|error| without_numbers(&error.to_string()));
            json!({"causes": texts.collect::<BTreeSet<_>>()})
        }
        Err(rejection) => json!({"message": rejection.to_string()}),
    }
}

/// Replaces an error by the word `rejected`.
fn without_texts(answer: &mut Value) {
    for key in ["message", "causes"] {
        if answer.get(key).is_some() {
            *answer = json!("rejected");
        }
    }
}

/// Returns the oracle's answer in the form of [`scaled`], without repeated causes: the storage around the strategy
/// finds some errors a second time.
fn expected_scale(expected: &Value) -> Value {
    /// The HTTP status for an invalid object.
    const UNPROCESSABLE: u64 = 422;
    if expected.get("failure").is_some() {
        return json!("unreadable");
    }
    match expected.get("error") {
        Some(error) if error.get("code").and_then(Value::as_u64) == Some(UNPROCESSABLE) => {
            let causes = list(error, "causes").filter_map(Value::as_str);
            json!({"causes": causes.collect::<BTreeSet<_>>()})
        }
        Some(error) => json!({"message": text(error, "message")}),
        None => {
            let mut out = Map::new();
            for key in ["scale", "object"] {
                if let Some(value) = expected.get(key) {
                    out.insert(key.to_owned(), value.clone());
                }
            }
            Value::Object(out)
        }
    }
}

fn compile(
    crd: &Value,
    version: &str,
    kubernetes: KubernetesVersion,
) -> Result<CompiledSchema, String> {
    let decoded = Server::of(kubernetes).decode(crd).map_err(|error| error.to_string())?;
    Server::of(kubernetes).compile(&decoded.crd, version).map_err(|error| error.to_string())
}

/// Returns the cost of the rules over the object that is stored, or would be. If the budget is exceeded, the cost is
/// the budget plus one, as in the oracle.
fn cost(
    schema: &CompiledSchema,
    result: &Result<Admitted, Rejection>,
    old: Option<&Value>,
) -> Option<u64> {
    let object = match result {
        Ok(admitted) => &admitted.object,
        Err(Rejection::Invalid(invalid)) => &invalid.object,
        Err(_) => return None,
    };
    let old = old.and_then(|old| admit::read(schema, old.clone()).ok());
    let evaluation = schema.evaluate_rules(object, old.as_ref());
    Some(evaluation.cost.unwrap_or(rules::BUDGET + 1))
}

fn is_rejected(expected: Option<&Value>) -> bool {
    expected.is_some_and(|expected| {
        expected.get("decodeError").is_some()
            || expected.get("errors").and_then(Value::as_array).is_some_and(|list| !list.is_empty())
    })
}

/// Describes how a result differs from the expected one.
fn compare(
    expected: &Value,
    result: Result<Admitted, Rejection>,
    (kubernetes, depth): (KubernetesVersion, Depth),
    aspect: &mut dyn FnMut(&'static str, bool),
) -> Option<String> {
    let mut out = String::new();
    let decode_error = expected.get("decodeError").and_then(Value::as_str);
    let (errors, object, unknown, duplicates, warnings) = match result {
        Ok(admitted) => {
            let Admitted { object, unknown_fields, duplicate_fields, warnings, .. } = admitted;
            (ErrorList::new(), object, unknown_fields, duplicate_fields, warnings)
        }
        Err(Rejection::Invalid(invalid)) => {
            let invalid = *invalid;
            let unknown = invalid.unknown_fields;
            (invalid.errors, invalid.object, unknown, invalid.duplicate_fields, invalid.warnings)
        }
        Err(rejection) => {
            let got = rejection.to_string();
            aspect("verdict", decode_error.is_some());
            aspect("decode error", decode_error == Some(&got));
            let agrees = match depth {
                Depth::Texts => decode_error == Some(&got),
                Depth::Verdicts => decode_error.is_some(),
            };
            if !agrees {
                let _ = writeln!(out, "decode error: {got}\n        want: {decode_error:?}");
            }
            return (!out.is_empty()).then_some(out);
        }
    };
    if let Some(want) = decode_error {
        aspect("verdict", !errors.is_empty());
        return Some(format!("decodes; want: {want}\n"));
    }
    let mut got_errors: Vec<FieldError> = errors
        .iter()
        .map(|error| {
            let parts = [
                error.kind.as_reason().to_owned(),
                error.field.clone(),
                without_numbers(&error.detail),
                without_numbers(&error.to_string()),
            ];
            comparable(parts, kubernetes)
        })
        .collect();
    let mut want_errors: Vec<FieldError> = list(expected, "errors")
        .map(|error| ["type", "field", "detail", "error"].map(|key| text(error, key).to_owned()))
        .map(|parts| comparable(parts, kubernetes))
        .collect();
    got_errors.sort_unstable();
    want_errors.sort_unstable();
    aspect("verdict", got_errors.is_empty() == want_errors.is_empty());
    aspect("errors", got_errors == want_errors);
    if depth == Depth::Verdicts && got_errors.is_empty() == want_errors.is_empty() {
        got_errors.clear();
        want_errors.clear();
    }
    for (sign, these, others) in
        [("+", &got_errors, &want_errors), ("-", &want_errors, &got_errors)]
    {
        let mut others = others.clone();
        for error in these {
            match others.iter().position(|other| other == error) {
                Some(index) => drop(others.swap_remove(index)),
                None => {
                    let _ = writeln!(out, "{sign} {} ({})", error[3], error[0]);
                }
            }
        }
    }

    let want_object = expected.get("object").unwrap_or(&Value::Null);
    // Compares Go's renderings: in a stored object, 1.0 is 1.
    let agrees = server_json::to_go_string(&object) == server_json::to_go_string(want_object);
    aspect("object", agrees);
    if !agrees {
        let _ = writeln!(out, "object: {object}\n  want: {want_object}");
    }
    let got_unknown: Vec<&String> = duplicates.iter().chain(&unknown).collect();
    let want_unknown: Vec<&str> =
        list(expected, "unknownFields").filter_map(Value::as_str).collect();
    aspect("unknown fields", got_unknown == want_unknown);
    if got_unknown != want_unknown {
        let _ = writeln!(out, "unknown fields: {got_unknown:?}\n          want: {want_unknown:?}");
    }
    // Only the strategy's warnings are recorded, not those about unknown fields and ratcheted rules.
    let got_warnings: Vec<&String> =
        warnings.iter().filter(|text| text.starts_with("metadata.finalizers: ")).collect();
    let want_warnings: Vec<&str> = list(expected, "warnings").filter_map(Value::as_str).collect();
    if got_warnings != want_warnings && depth == Depth::Texts {
        let _ = writeln!(out, "warnings: {got_warnings:?}\n    want: {want_warnings:?}");
    }
    (!out.is_empty()).then_some(out)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
