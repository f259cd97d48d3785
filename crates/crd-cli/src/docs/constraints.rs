//! What a schema demands of a value, in words.

use crd_cel::lint;
use crd_cel::syntax::{self, ExprKind};
use serde_json::{Value, json};

use super::model::{Constraint, Rule};
use crate::model::{JsonSchemaProps, ValidationRule};

/// Returns what a schema demands. `of` is `each item` or `each value`, if it is not that of the field itself.
pub(super) fn of(schema: &JsonSchemaProps, of: Option<&'static str>) -> Vec<Constraint> {
    let mut found = Found { of, constraints: Vec::new() };
    let least = if schema.exclusive_minimum { "more than" } else { "at least" };
    let most = if schema.exclusive_maximum { "less than" } else { "at most" };
    found.add("minimum", least, schema.minimum.map(number), "");
    found.add("maximum", most, schema.maximum.map(number), "");
    found.add("multipleOf", "a multiple of", schema.multiple_of.map(number), "");
    for (keywords, bounds, unit) in [
        (["minLength", "maxLength"], [schema.min_length, schema.max_length], "characters"),
        (["minItems", "maxItems"], [schema.min_items, schema.max_items], "items"),
        (
            ["minProperties", "maxProperties"],
            [schema.min_properties, schema.max_properties],
            "entries",
        ),
    ] {
        for ((keyword, bound), label) in
            keywords.into_iter().zip(bounds).zip(["at least", "at most"])
        {
            found.add(keyword, label, bound.map(Value::from), unit);
        }
    }
    let text = |text: &str| Some(text).filter(|text| !text.is_empty()).map(Value::from);
    found.add("pattern", "matches", text(&schema.pattern), "");
    found.add("format", "has the format", text(&schema.format), "");
    match schema.x_list_type.as_deref() {
        Some("set") => found.say("x-kubernetes-list-type", "items are unique"),
        Some("map") => {
            let keys = schema.x_list_map_keys.iter().flatten();
            let keys = keys.map(String::as_str).collect::<Vec<_>>().join(", ");
            found.add("x-kubernetes-list-map-keys", "items are unique by", Some(keys.into()), "");
        }
        _ => {}
    }
    if schema.x_embedded_resource {
        found.say("x-kubernetes-embedded-resource", "a whole Kubernetes object");
    }
    if schema.x_preserve_unknown_fields == Some(true) {
        found.say("x-kubernetes-preserve-unknown-fields", "unknown fields are kept");
    }
    junctors(schema, &mut found);
    found.constraints
}

struct Found {
    of: Option<&'static str>,
    constraints: Vec<Constraint>,
}

impl Found {
    fn add(
        &mut self,
        keyword: &'static str,
        label: &str,
        value: Option<Value>,
        unit: &'static str,
    ) {
        if value.is_some() {
            self.push(keyword, label, value, unit);
        }
    }

    fn say(&mut self, keyword: &'static str, label: &str) {
        self.push(keyword, label, None, "");
    }

    fn push(
        &mut self,
        keyword: &'static str,
        label: &str,
        value: Option<Value>,
        unit: &'static str,
    ) {
        let label = match self.of {
            Some(of) => format!("{of}: {label}"),
            None => label.to_owned(),
        };
        self.constraints.push(Constraint { keyword, label, value, unit });
    }
}

/// Returns a whole number as an integer.
fn number(number: f64) -> Value {
    crate::json::stored(json!(number))
}

/// Adds what `oneOf` and the others say. Those that choose among fields are told in words.
fn junctors(schema: &JsonSchemaProps, found: &mut Found) {
    for (keyword, label, branches) in [
        ("oneOf", "exactly one of", &schema.one_of),
        ("anyOf", "at least one of", &schema.any_of),
        ("allOf", "all of", &schema.all_of),
    ] {
        let branches = branches.as_deref().unwrap_or_default();
        let is_redundant =
            schema.x_int_or_string && branches.iter().all(|branch| !branch.type_.is_empty());
        if branches.is_empty() || is_redundant {
            continue;
        }
        let names: Option<Vec<&str>> = branches.iter().map(only_required).collect();
        let value = match names {
            Some(names) => names.join(", ").into(),
            None => json!(branches),
        };
        found.add(keyword, label, Some(value), "");
    }
    if let Some(not) = &schema.not {
        let value = only_required(not).map_or_else(|| json!(not), Value::from);
        found.add("not", "not", Some(value), "");
    }
}

/// Returns the field that a branch requires, if that is all that it does.
fn only_required(branch: &JsonSchemaProps) -> Option<&str> {
    let [name] = branch.required.as_deref()? else { return None };
    let bare = JsonSchemaProps { required: branch.required.clone(), ..JsonSchemaProps::default() };
    (*branch == bare).then_some(name)
}

/// Returns the rules of a schema.
pub(super) fn rules(rules: Option<&[ValidationRule]>, of: Option<&'static str>) -> Vec<Rule> {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let rules = rules.unwrap_or_default().iter().map(|rule| Rule {
        rule: rule.rule.trim().to_owned(),
        message: given(&rule.message),
        message_expression: given(&rule.message_expression),
        is_transition: is_transition(&rule.rule),
        of,
    });
    rules.collect()
}

fn is_transition(rule: &str) -> bool {
    let mut is_found = false;
    if let Ok(ast) = syntax::parse(rule) {
        lint::visit(&ast.root, &mut |expr| {
            is_found |= matches!(&expr.kind, ExprKind::Ident(name) if &**name == "oldSelf");
        });
    }
    is_found
}
