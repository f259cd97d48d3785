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
use super::walk::{self, SchemaVisit};
use crate::field::Path;
use crate::model::ValidationRule;
use crate::schema::{AdditionalProperties, Structural};

/// A bound that a schema lacks, or has with a higher value, with a value to start from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bound {
    /// Where the schema is.
    pub path: String,
    /// The keyword.
    pub keyword: &'static str,
    /// The value that was tried.
    pub value: i64,
    /// Whether the schema has a higher one.
    pub lowers: bool,
    /// Whether the schema has the keyword in `allOf`, where estimates do not see it.
    pub is_in_all_of: bool,
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

/// Which bounds are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    Missing,
    /// Also those that are higher than the value that is tried.
    Higher,
}

/// Returns the bounds with which a rule would be within a limit, the one that lowers the cost most first. Bounds that the
/// schema has are lowered only if it lacks none that helps. The list is empty if the rule is within the limit, or if
/// [`MAX_BOUNDS`] are not enough.
pub(super) fn helpful(
    rule: &ValidationRule,
    visited: &SchemaVisit<'_>,
    typed: TypedSchema<'_>,
    path: &Path<'_>,
    limit: u64,
) -> Vec<Bound> {
    let Some(checked) = check(rule, typed) else { return Vec::new() };
    let search = |tried| search(rule, &checked, visited, typed, path, (limit, tried));
    let found = search(Tried::Missing);
    if found.is_empty() { search(Tried::Higher) } else { found }
}

fn search(
    rule: &ValidationRule,
    checked: &Checked,
    visited: &SchemaVisit<'_>,
    typed: TypedSchema<'_>,
    path: &Path<'_>,
    (limit, tried): (u64, Tried),
) -> Vec<Bound> {
    let mut schema = typed.schema.clone();
    let runs = |schema: &Structural, bounded: bool| match visited.cardinality {
        Some(cardinality) => cardinality,
        None if bounded => above(visited).fold(visited.bounded, |runs, _| times(runs, elements())),
        None => runs_in_request(schema, typed),
    };
    let mut bounds = Vec::new();
    // Whether the schemas above the rule have been given bounds.
    let mut bounded = false;
    let mut cost = estimate(rule, checked, &schema, typed);
    while times(cost, runs(&schema, bounded)) > limit {
        if bounds.len() >= MAX_BOUNDS {
            return Vec::new();
        }
        // The schemas above are tried together: while one of them has no bound, bounds of the others change nothing.
        let outside = (visited.cardinality.is_none() && !bounded)
            .then(|| times(cost, runs(&schema, true)))
            .filter(|total| *total < times(cost, runs(&schema, bounded)));
        let inside = best(rule, checked, &mut schema, typed, tried);
        let with_inside = |cost: u64, schema: &Structural| times(cost, runs(schema, bounded));
        match (inside, outside) {
            (Some((lower, steps)), outside)
                if lower < cost
                    && outside.is_none_or(|total| with_inside(lower, &schema) <= total) =>
            {
                cost = lower;
                if let Some(found) = at(&mut schema, &steps) {
                    bounds.extend(bound(found, tried, || render(path, &steps)));
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
        lowers: false,
        is_in_all_of: unbounded.is_bounded_in_all_of,
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
    tried: Tried,
) -> Option<(u64, Vec<SchemaStep>)> {
    let mut candidates = Vec::new();
    collect(schema, tried, &mut Vec::new(), &mut candidates);
    let mut best: Option<(u64, Vec<SchemaStep>)> = None;
    for steps in candidates {
        let before = at(schema, &steps)?.validation.clone();
        bound(at(schema, &steps)?, tried, String::new)?;
        let cost = estimate(rule, checked, schema, typed);
        at(schema, &steps)?.validation = before;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, steps));
        }
    }
    best
}

/// The schemas whose bounds are tried. Recursion follows the schema, whose depth is bounded.
fn collect(
    schema: &Structural,
    tried: Tried,
    steps: &mut Vec<SchemaStep>,
    out: &mut Vec<Vec<SchemaStep>>,
) {
    if out.len() >= MAX_CANDIDATES {
        return;
    }
    if candidate(schema, tried).is_some() {
        out.push(steps.clone());
    }
    let mut below = |step: SchemaStep, child: &Structural| {
        steps.push(step);
        collect(child, tried, steps, out);
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

/// The bound of a schema that is tried: its keyword and value, and the value that the schema has.
fn candidate(schema: &Structural, tried: Tried) -> Option<(&'static str, i64, Option<i64>)> {
    let has = &schema.validation;
    let text = schema.extensions.int_or_string || schema.generic.type_ == "string";
    let sized = matches!(has.format.as_str(), "date" | "date-time" | "duration");
    let (keyword, value, found) = match schema.generic.type_.as_str() {
        _ if text && (sized || !has.enum_.is_empty()) => return None,
        _ if text => ("maxLength", LENGTH, has.max_length),
        "array" => ("maxItems", ELEMENTS, has.max_items),
        "object" if schema.additional_schema().is_some() => {
            ("maxProperties", ELEMENTS, has.max_properties)
        }
        _ => return None,
    };
    let is_tried = found.is_none_or(|found| tried == Tried::Higher && found > value);
    is_tried.then_some((keyword, value, found))
}

/// Gives a schema the bound that is tried.
fn bound(schema: &mut Structural, tried: Tried, path: impl FnOnce() -> String) -> Option<Bound> {
    let (keyword, value, found) = candidate(schema, tried)?;
    let bounds = &mut schema.validation;
    let is_in_all_of = walk::is_in_all_of(bounds, keyword);
    match keyword {
        "maxLength" => bounds.max_length = Some(value),
        "maxItems" => bounds.max_items = Some(value),
        _ => bounds.max_properties = Some(value),
    }
    Some(Bound { path: path(), keyword, value, lowers: found.is_some(), is_in_all_of })
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
    use crd_cel::kubernetes::KubernetesVersion;
    use serde_json::{Value, json};

    use super::super::report::{RuleReport, report};
    use super::*;
    use crate::model::JsonSchemaProps;

    fn reports_of(schema: Value) -> Vec<RuleReport> {
        let props: JsonSchemaProps = serde_json::from_value(schema).unwrap();
        let structural = Structural::try_from(&props).unwrap();
        report(&structural, &Path::new("p"), KubernetesVersion::REFERENCE)
    }

    #[track_caller]
    fn check(schema: Value, want: &[&str]) {
        let reports = reports_of(schema);
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
    fn bounds_that_are_too_high_are_lowered() {
        let text = json!({"type": "string", "maxLength": 1_000_000});
        let list = json!({"type": "array", "maxItems": 1_000_000, "items": text});
        let schema = json!({"type": "object", "properties": {"l": list}});
        let rule = "self.l.all(x, self.l.exists(y, y == x))";
        check(
            with_rule(rule, schema),
            &["p.properties[l] maxItems 64", "p.properties[l].items maxLength 256"],
        );
    }

    #[test]
    fn bounds_in_all_of_do_not_count() {
        let text = json!({"type": "string", "allOf": [{"maxLength": 10}]});
        let list = json!({"type": "array", "maxItems": 64, "items": text});
        let schema: Value = with_rule(
            "self.l.all(x, self.l.exists(y, y == x))",
            json!({"type": "object", "properties": {"l": list}}),
        );
        let reports = reports_of(schema);
        let found: Vec<_> = reports[0].helpful_bounds.iter().collect();
        assert_eq!((found.len(), found[0].is_in_all_of, found[0].lowers), (1, true, false));
    }

    #[test]
    fn bounds_in_all_of_of_the_lists_above_do_not_count() {
        for (all_of, want) in [(json!([{"maxItems": 3}]), true), (json!([{"minItems": 3}]), false)]
        {
            let text = json!({"type": "string", "maxLength": 1_000});
            let item = with_rule(
                "self.t.matches('a+b+c+')",
                json!({"type": "object", "properties": {"t": text}}),
            );
            let inner = json!({"type": "array", "allOf": all_of, "items": item});
            let outer = json!({"type": "array", "allOf": all_of, "items": inner});
            let schema = json!({"type": "object", "properties": {"l": outer}});
            let reports = reports_of(schema);
            let found: Vec<_> = reports[0].helpful_bounds.iter().collect();
            assert!(!found.is_empty());
            assert!(found.iter().all(|bound| bound.is_in_all_of == want), "{found:?}");
        }
    }

    #[test]
    fn a_rule_that_no_bound_makes_cheaper() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        check(with_rule("lists.range(self.n).size() == 1", schema), &[]);
    }
}
