//! Finds the bounds with which a rule would be within the cost limit.
//!
//! A rule is expensive if a value that it iterates over, or a list or map that contains its value, can have any size.
//! Each missing bound is tried, and the one that lowers the cost most is kept, until the rule is within the limit.

use crd_cel::checked::Checked;
use crd_cel::cost;
use crd_cel::kubernetes::Environment;

use super::compile;
use super::cost::times;
use super::declare::TypedSchema;
use super::walk::SchemaVisit;
use crate::field::Path;
use crate::model::ValidationRule;
use crate::schema::{AdditionalProperties, Structural};

/// A bound that a schema lacks, with a value to start from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bound {
    /// Where the schema is.
    pub path: String,
    /// The keyword.
    pub keyword: &'static str,
    /// The value that was tried.
    pub value: i64,
}

/// The bound that is tried for lists and maps, in items.
const ELEMENTS: i64 = 64;
/// The bound that is tried for strings, in code points.
const LENGTH: i64 = 256;
/// The largest number of schemas below a rule that are tried.
const MAX_CANDIDATES: usize = 500;
/// The number of bounds at which the search for those of a rule stops. The bounds of all schemas above the rule are
/// added together, so that the result can have more.
const MAX_BOUNDS: usize = 4;

/// The path from a schema to one below it.
#[derive(Debug, Clone)]
enum SchemaStep {
    Items,
    Additional,
    Property(String),
}

/// Returns the bounds with which a rule would be within a limit, the one that lowers the cost most first. The list is
/// empty if the rule is within the limit, or if [`MAX_BOUNDS`] are not enough.
pub(super) fn helpful(
    rule: &ValidationRule,
    visited: &SchemaVisit<'_>,
    typed: TypedSchema<'_>,
    path: &Path<'_>,
    limit: u64,
) -> Vec<Bound> {
    let Some(checked) = check(rule, typed) else { return Vec::new() };
    let mut schema = typed.schema.clone();
    let runs = |schema: &Structural, bounded: bool| match visited.cardinality {
        Some(cardinality) => cardinality,
        None if bounded => above(visited).fold(visited.bounded, |runs, _| times(runs, elements())),
        None => runs_in_request(schema, typed),
    };
    let mut bounds = Vec::new();
    // Whether the schemas above the rule have been given bounds.
    let mut bounded = false;
    let mut cost = estimate(rule, &checked, &schema, typed);
    while times(cost, runs(&schema, bounded)) > limit {
        if bounds.len() >= MAX_BOUNDS {
            return Vec::new();
        }
        // The schemas above are tried together: while one of them has no bound, bounds of the others change nothing.
        let outside = (visited.cardinality.is_none() && !bounded)
            .then(|| times(cost, runs(&schema, true)))
            .filter(|total| *total < times(cost, runs(&schema, bounded)));
        let inside = best(rule, &checked, &mut schema, typed);
        let with_inside = |cost: u64, schema: &Structural| times(cost, runs(schema, bounded));
        match (inside, outside) {
            (Some((lower, steps)), outside)
                if lower < cost
                    && outside.is_none_or(|total| with_inside(lower, &schema) <= total) =>
            {
                cost = lower;
                if let Some((keyword, value)) = at(&mut schema, &steps).and_then(bound) {
                    bounds.push(Bound { path: render(path, &steps), keyword, value });
                }
            }
            (_, Some(_)) => {
                bounded = true;
                bounds.extend(above(visited));
            }
            _ => return Vec::new(),
        }
    }
    bounds
}

fn elements() -> u64 {
    ELEMENTS.unsigned_abs()
}

/// The unbounded schemas above a visited one, with the bounds that are tried for them.
fn above<'p>(visited: &'p SchemaVisit<'_>) -> impl Iterator<Item = Bound> + 'p {
    let first = visited.unbounded.as_deref();
    std::iter::successors(first, |unbounded| unbounded.above.as_deref()).map(|unbounded| Bound {
        path: unbounded.path.clone(),
        keyword: unbounded.keyword,
        value: ELEMENTS,
    })
}

/// How often a rule of the schema can run in a request of the largest size.
fn runs_in_request(schema: &Structural, typed: TypedSchema<'_>) -> u64 {
    let declared = TypedSchema { schema, ..typed }.declare();
    compile::max_cardinality(&declared.decl)
}

fn check(rule: &ValidationRule, typed: TypedSchema<'_>) -> Option<Checked> {
    let declared = typed.declare();
    compile::environment(rule, &declared.decl, Environment::new(typed.kubernetes))
        .compile(&rule.rule)
        .ok()
}

fn estimate(
    rule: &ValidationRule,
    checked: &Checked,
    schema: &Structural,
    typed: TypedSchema<'_>,
) -> u64 {
    let declared = TypedSchema { schema, ..typed }.declare();
    let environment = Environment::new(typed.kubernetes);
    cost::estimate(checked, &compile::environment(rule, &declared.decl, environment)).max
}

/// The schema at or below `schema` whose bound lowers the cost most, and the cost with it.
fn best(
    rule: &ValidationRule,
    checked: &Checked,
    schema: &mut Structural,
    typed: TypedSchema<'_>,
) -> Option<(u64, Vec<SchemaStep>)> {
    let mut candidates = Vec::new();
    collect(schema, &mut Vec::new(), &mut candidates);
    let mut best: Option<(u64, Vec<SchemaStep>)> = None;
    for steps in candidates {
        let before = at(schema, &steps)?.validation.clone();
        bound(at(schema, &steps)?)?;
        let cost = estimate(rule, checked, schema, typed);
        at(schema, &steps)?.validation = before;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, steps));
        }
    }
    best
}

/// The schemas that lack a bound. Recursion follows the schema, whose depth is bounded.
fn collect(schema: &Structural, steps: &mut Vec<SchemaStep>, out: &mut Vec<Vec<SchemaStep>>) {
    if out.len() >= MAX_CANDIDATES {
        return;
    }
    if missing(schema).is_some() {
        out.push(steps.clone());
    }
    let mut below = |step: SchemaStep, child: &Structural| {
        steps.push(step);
        collect(child, steps, out);
        steps.pop();
    };
    if let Some(items) = &schema.items {
        below(SchemaStep::Items, items);
    }
    if let Some(values) = schema.additional_schema() {
        below(SchemaStep::Additional, values);
    }
    for (name, property) in &schema.properties {
        below(SchemaStep::Property(name.clone()), property);
    }
}

/// The bound that a schema lacks.
fn missing(schema: &Structural) -> Option<(&'static str, i64)> {
    let has = &schema.validation;
    let text = schema.extensions.int_or_string || schema.generic.type_ == "string";
    let sized = matches!(has.format.as_str(), "date" | "date-time" | "duration");
    match schema.generic.type_.as_str() {
        _ if text => (has.max_length.is_none() && has.enum_.is_empty() && !sized)
            .then_some(("maxLength", LENGTH)),
        "array" => has.max_items.is_none().then_some(("maxItems", ELEMENTS)),
        "object" if schema.additional_schema().is_some() => {
            has.max_properties.is_none().then_some(("maxProperties", ELEMENTS))
        }
        _ => None,
    }
}

/// Adds the bound that a schema lacks.
fn bound(schema: &mut Structural) -> Option<(&'static str, i64)> {
    let (keyword, value) = missing(schema)?;
    let bounds = &mut schema.validation;
    match keyword {
        "maxLength" => bounds.max_length = Some(value),
        "maxItems" => bounds.max_items = Some(value),
        _ => bounds.max_properties = Some(value),
    }
    Some((keyword, value))
}

fn at<'s>(schema: &'s mut Structural, steps: &[SchemaStep]) -> Option<&'s mut Structural> {
    steps.iter().try_fold(schema, |schema, step| match step {
        SchemaStep::Items => schema.items.as_deref_mut(),
        SchemaStep::Additional => match &mut schema.additional_properties {
            Some(AdditionalProperties::Schema(schema)) => Some(&mut **schema),
            Some(AdditionalProperties::Bool(_)) | None => None,
        },
        SchemaStep::Property(name) => schema.properties.get_mut(name),
    })
}

fn render(path: &Path<'_>, steps: &[SchemaStep]) -> String {
    let Some((step, rest)) = steps.split_first() else { return path.to_string() };
    match step {
        SchemaStep::Items => render(&path.field("items"), rest),
        SchemaStep::Additional => render(&path.field("additionalProperties"), rest),
        SchemaStep::Property(name) => render(&path.field("properties").key(name), rest),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::report::report;
    use super::*;
    use crate::model::JsonSchemaProps;

    #[track_caller]
    fn check(schema: Value, want: &[&str]) {
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        let structural = Structural::try_from(&props).unwrap();
        let reports = report(&structural, &Path::new("p"));
        let bounds = reports.iter().flat_map(|report| &report.helpful_bounds);
        let got: Vec<String> = bounds
            .map(|bound| format!("{} {} {}", bound.path, bound.keyword, bound.value))
            .collect();
        assert_eq!(got, want);
    }

    fn with_rule(rule: &str, mut schema: Value) -> Value {
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
        schema
    }

    #[test]
    fn a_cheap_rule_needs_no_bound() {
        check(with_rule("true", json!({"type": "object"})), &[]);
        let list = json!({"type": "array", "items": {"type": "integer"}});
        let schema = json!({"type": "object", "properties": {"a": list, "b": list}});
        check(with_rule("self.a.size() == self.b.size()", schema), &[]);
    }

    #[test]
    fn bounds_of_lists_and_their_items() {
        let list = json!({"type": "array", "items": {"type": "string"}});
        let schema = json!({"type": "object", "properties": {"l": list}});
        check(
            with_rule("self.l.all(x, x.contains('a string'))", schema),
            &["p.properties[l] maxItems 64", "p.properties[l].items maxLength 256"],
        );
        let list =
            json!({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}});
        let schema =
            json!({"type": "object", "properties": {"l": list, "unused": {"type": "string"}}});
        check(
            with_rule("self.l.all(x, x.all(y, x.exists(z, z > y)))", schema),
            &["p.properties[l].items maxItems 64", "p.properties[l] maxItems 64"],
        );
    }

    #[test]
    fn bounds_of_the_lists_and_maps_around_a_rule() {
        let item = with_rule(
            "self.contains('a') || self.contains('b') || self.contains('c')",
            json!({"type": "string", "maxLength": 100}),
        );
        check(
            json!({"type": "object", "properties": {
                "m": {"type": "object", "additionalProperties": {"type": "array", "items": item}}}}),
            &[
                "p.properties[m].additionalProperties maxItems 64",
                "p.properties[m] maxProperties 64",
            ],
        );
    }

    #[test]
    fn a_rule_that_no_bound_makes_cheaper() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        check(with_rule("lists.range(self.n).size() == 1", schema), &[]);
    }
}
