//! Compares the constant functions that check rules in rustc with `ruleset`, which compiles a rule as the server does.
//! Both are of this workspace; recorded verdicts hold `ruleset` to the server (`conformance`).
//!
//! Cases are the rules of recorded definitions, each with the schema that has it, and mutants of them. The constant
//! functions are called at run time ([`constant`]). Only `ruleset` estimates costs. An error that it does not report is a
//! defect; errors that the constant functions do not find are counted.

mod constant;
mod corpus;
mod generated;
mod mutate;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crd_runtime::field::Path;
use crd_runtime::model::JsonSchemaProps;
use crd_runtime::ruleset::{self, Options};
use crd_runtime::schema::Structural;
use serde_json::{Value, json};

pub use constant::{error_of, verdict as constant_verdict};
pub use corpus::{corpus, documented};
pub use generated::generated;
pub use mutate::mutants;

/// The `change` of a generated rule. Whether such a rule can be true is not checked.
const GENERATED: &str = "generated";

/// A rule and its schema.
#[derive(Debug, Clone)]
pub struct Case {
    /// The schema that has the rule, without any rules.
    pub schema: Value,
    /// Whether that is the schema of a whole object.
    pub root: bool,
    /// The rule.
    pub rule: String,
    /// The message expression, if there is one.
    pub message: Option<String>,
    /// Whether `oldSelf` is an optional.
    pub optional_old_self: bool,
    /// How the rule was changed; empty for an unchanged rule.
    pub change: &'static str,
}

/// Checks a rule as part of a definition: returns the kind and the text of the first error that is not about costs, and
/// `None` if there is none.
pub fn error_besides_costs(case: &Case) -> Option<(String, String)> {
    let errors = ruleset::check_rules(
        &structural(case)?,
        &Path::new("p"),
        &BTreeSet::new(),
        Options { unchanged: true, ..Options::default() },
    );
    let error = errors.iter().find(|error| {
        let detail = &error.detail;
        !detail.contains(OVER_BUDGET) && !detail.contains("contributed to estimated")
    })?;
    Some((kind_of(&error.detail), error.detail.clone()))
}

/// Part of the errors about rules and message expressions that cost too much.
const OVER_BUDGET: &str = "exceeds budget";

/// Returns the schema with its rule.
fn with_rule(case: &Case) -> Option<Value> {
    let mut schema = case.schema.clone();
    let mut rule = json!({"rule": case.rule});
    if let Some(message) = &case.message {
        rule["messageExpression"] = message.as_str().into();
    }
    if case.optional_old_self {
        rule["optionalOldSelf"] = true.into();
    }
    schema.as_object_mut()?.insert("x-kubernetes-validations".to_owned(), json!([rule]));
    Some(schema)
}

/// Returns the structural schema of a whole object: the schema with its rule, or an object with it as a field.
fn structural(case: &Case) -> Option<Structural> {
    let mut schema = with_rule(case)?;
    if !case.root {
        schema = json!({"type": "object", "properties": {"x": schema}});
    }
    let props: JsonSchemaProps = serde_json::from_value(schema).ok()?;
    Structural::try_from(&props).ok()
}

/// Returns the kind of an error, by its text.
fn kind_of(detail: &str) -> String {
    const KINDS: [&str; 14] = [
        "undefined field",
        "found no matching overload",
        "undeclared reference",
        "does not support field selection",
        "cannot be range of a comprehension",
        "expected type",
        "invalid duration argument",
        "invalid timestamp argument",
        "invalid matches argument",
        "program instantiation failed",
        "must evaluate to a bool",
        "must evaluate to a string",
        "Syntax error",
        "string.format",
    ];
    KINDS.into_iter().find(|kind| detail.contains(kind)).unwrap_or("other").to_owned()
}

/// Counts how rustc's verdicts compare with those of the checks of definitions.
#[derive(Debug, Default)]
pub struct Account {
    /// Accepted by both.
    pub accepted: usize,
    /// Rejected by both.
    pub caught: usize,
    /// Rejected by rustc alone; each is a defect.
    pub false_errors: Vec<String>,
    /// Rejected by the checks of definitions alone, by the kind of error.
    pub missed: BTreeMap<String, Vec<String>>,
}

impl Account {
    /// Adds a case with rustc's verdict on it.
    pub fn add(&mut self, case: &Case, error: Option<&str>) {
        match (error_besides_costs(case), error) {
            (None, None) => self.accepted += 1,
            (Some(_), Some(_)) => self.caught += 1,
            (None, Some(error)) => {
                self.false_errors.push(format!("{}\n{error}\n{}", case.rule, case.schema));
            }
            (Some((kind, detail)), None) => {
                self.missed.entry(kind).or_default().push(format!("{}\n{detail}", case.rule));
            }
        }
    }

    /// How many errors rustc does not find.
    pub fn missed(&self) -> usize {
        self.missed.values().map(Vec::len).sum()
    }

    /// The share of the errors that rustc finds, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "thousands of cases")]
    pub fn share(&self) -> f64 {
        self.caught as f64 / (self.caught + self.missed()).max(1) as f64
    }

    /// Renders the counts, with up to `show` cases of each kind.
    pub fn render(&self, show: usize) -> String {
        let mut text = format!(
            "{} accepted by both, {} rejected by both, {} rejected by rustc alone, {} not found by \
             rustc ({:.1} % found)\n",
            self.accepted,
            self.caught,
            self.false_errors.len(),
            self.missed(),
            self.share() * 100.0,
        );
        for error in self.false_errors.iter().take(show) {
            let _ = writeln!(text, "false error: {error}");
        }
        for (kind, cases) in &self.missed {
            let _ = writeln!(text, "not found: {kind}: {}", cases.len());
            for case in cases.iter().take(show) {
                let _ = writeln!(text, "  {}", case.replace('\n', "\n  "));
            }
        }
        text
    }
}
