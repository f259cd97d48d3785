//! Compares estimates of the cost of rules in a whole object: of each rule, times how often it can run, and of all
//! rules together.

use std::collections::BTreeMap;
use std::path::Path;

use crd_cel::compile_time::{
    CostCheck, Declared, ELEMENTS, Examined, Program, Rule, Rules, Want, costs, examine,
};
use crd_cel::{escape, syntax};
use crd_runtime::field;
use crd_runtime::model::JsonSchemaProps;
use crd_runtime::ruleset;
use crd_runtime::schema::Structural;
use fastrand::Rng;
use serde_json::{Map, Value};

use super::constant::{declared, leak};
use super::corpus::schemas;
use super::resize::resize;

/// A rule of a schema with its costs.
#[derive(Debug)]
pub struct PricedRule {
    /// The path and the expression.
    pub text: String,
    /// rustc's lower estimate of its cost in one object, in cost units.
    pub least: u64,
    /// The server's estimate, without the message expression.
    pub exact: u64,
    /// The server's estimate of the message expression.
    pub message: u64,
}

/// All rules of a schema with their costs.
#[derive(Debug)]
pub struct Object {
    /// The single rules.
    pub rules: Vec<PricedRule>,
    /// rustc's lower estimate for all of them, in cost units.
    pub least: u64,
    /// The server's estimate for all of them.
    pub exact: u64,
}

/// Returns the rules of each recorded definition, with `true`, and those of `changed` copies of them with other bounds,
/// with `false`.
pub fn objects(dir: &Path, changed: usize, seed: u64) -> impl Iterator<Item = (bool, Object)> {
    let recorded = schemas(dir);
    let mut rng = Rng::with_seed(seed);
    let resized: Vec<_> = (0..changed)
        .map_while(|_| {
            let schema = rng.choice(&recorded)?.clone();
            Some(resize(&mut rng, &schema))
        })
        .collect();
    let recorded = recorded.into_iter().map(|schema| (true, schema));
    let all = recorded.chain(resized.into_iter().map(|schema| (false, schema)));
    all.filter_map(|(recorded, schema)| Some((recorded, object(&schema)?)))
}

fn object(schema: &Value) -> Option<Object> {
    let props: JsonSchemaProps = serde_json::from_value(schema.clone()).ok()?;
    let structural = Structural::try_from(&props).ok()?;
    let reports = ruleset::estimate(&structural, &field::Path::new("p"));
    let reports: BTreeMap<_, _> = reports
        .into_iter()
        .filter(|report| report.error.is_none())
        .map(|report| (report.path.clone(), report))
        .collect();
    let of: &Declared = leak(declared(schema, true));
    let mut found = Collector::default();
    found.node(schema, true, "p", &mut Vec::new());
    let mut object = Object { rules: Vec::new(), least: 0, exact: 0 };
    let mut trees = Vec::new();
    for PlacedRule { path, steps, own } in found.rules {
        // Costs of rules that the server rejects are not compared.
        let Some(report) = reports.get(&path) else { continue };
        let tree = nested(&steps, own);
        let (least, _) = costs(of, tree);
        let message = report.message_cost.unwrap_or(0);
        object.exact = object.exact.saturating_add(report.total()).saturating_add(message);
        let text = format!("{path}: {}", report.rule);
        object.rules.push(PricedRule { text, least, exact: report.total(), message });
        trees.push(("", tree));
    }
    let (_, least) = costs(of, leak(Rules { below: trees.leak(), ..Rules::NONE }));
    object.least = least;
    Some(object)
}

/// Builds the tree of a rule and its message expression, below `steps`.
fn nested(steps: &[String], own: Vec<&'static Examined>) -> &'static Rules {
    let mut tree: &Rules = leak(Rules { own: own.leak(), ..Rules::NONE });
    for step in steps.iter().rev() {
        let step: &str = step.clone().leak();
        tree = leak(Rules { below: vec![(step, tree)].leak(), ..Rules::NONE });
    }
    tree
}

/// A rule, and where it is.
struct PlacedRule {
    /// Its path in the schema, as in errors.
    path: String,
    /// The steps from the object to the value that the rule is about.
    steps: Vec<String>,
    /// The rule and its message expression.
    own: Vec<&'static Examined>,
}

/// Collects the rules of a schema.
#[derive(Default)]
struct Collector {
    rules: Vec<PlacedRule>,
}

impl Collector {
    fn node(&mut self, schema: &Value, root: bool, path: &str, steps: &mut Vec<String>) {
        let Value::Object(members) = schema else { return };
        let rules = members.get("x-kubernetes-validations").and_then(Value::as_array);
        for (i, rule) in rules.into_iter().flatten().enumerate() {
            let of = leak(declared(schema, root));
            self.rules.push(PlacedRule {
                path: format!("{path}.x-kubernetes-validations[{i}]"),
                steps: steps.clone(),
                own: examined(rule, of),
            });
        }
        for key in ["items", "additionalProperties"] {
            if let Some(inner) = members.get(key) {
                steps.push(ELEMENTS.to_owned());
                self.node(inner, false, &format!("{path}.{key}"), steps);
                steps.pop();
            }
        }
        let none = Map::new();
        let properties = members.get("properties").and_then(Value::as_object).unwrap_or(&none);
        for (name, inner) in properties {
            // The derives' tree has no properties whose names rules cannot write.
            let Some(escaped) = escape::escape(name) else { continue };
            steps.push(escaped.into_owned());
            self.node(inner, false, &format!("{path}.properties[{name}]"), steps);
            steps.pop();
        }
    }
}

/// Examines a rule and its message expression, as the derives do.
fn examined(rule: &Value, of: &'static Declared) -> Vec<&'static Examined> {
    let expressions = [("rule", Want::Rule), ("messageExpression", Want::Message)];
    let expressions = expressions.into_iter().filter_map(|(key, want)| {
        let source = rule[key].as_str().filter(|text| !text.trim().is_empty())?;
        let program = Program::write(&syntax::parse(source).ok()?)?;
        let examined = examine(
            Rule {
                of,
                optional_old_self: rule["optionalOldSelf"] == true,
                want,
                cost_check: CostCheck::PerValue,
                unchecked: true,
                source: source.to_owned().leak(),
                program: program.code.leak(),
            },
            &[],
        );
        Some(leak(examined))
    });
    expressions.collect()
}
