//! Compares the rules of two schemas.

use serde_json::json;

use super::change::{Change, Site};
use super::kinds;
use crate::columns::one_line;
use crate::model::{JsonSchemaProps, ValidationRule};

/// Adds the changes of rules. Rules are compared by their text; of those that only one side has, the ones with the same
/// message, or else in the same order, are one rule that has changed.
pub(super) fn compare(
    old: &JsonSchemaProps,
    new: &JsonSchemaProps,
    site: &Site,
    out: &mut Vec<Change>,
) {
    let rules = |schema: &JsonSchemaProps| schema.x_validations.clone().unwrap_or_default();
    let (before, after) = (rules(old), rules(new));
    let mut gone: Vec<(usize, ValidationRule)> = Vec::new();
    let mut fresh: Vec<(usize, ValidationRule)> = after.iter().cloned().enumerate().collect();
    for (index, rule) in before.into_iter().enumerate() {
        let Some(at) = fresh.iter().position(|(_, other)| other.rule == rule.rule) else {
            gone.push((index, rule));
            continue;
        };
        let (other_index, other) = fresh.remove(at);
        if other != rule {
            let site = rule_site(site, index, other_index);
            let message =
                format!("the rule `{}` reports its failure in another way", one_line(&rule.rule));
            let kind = if other.optional_old_self == rule.optional_old_self {
                &kinds::RULE_MESSAGE_CHANGED
            } else {
                &kinds::RULE_CHANGED
            };
            out.push(of_rule(Change::new(kind, &site, message), Some(&rule), Some(&other), old));
        }
    }
    let pairs_in_order = gone.len() == fresh.len();
    for (position, (index, rule)) in gone.iter().enumerate() {
        let same_message = fresh
            .iter()
            .position(|(_, other)| !rule.message.is_empty() && other.message == rule.message);
        let in_order = || (pairs_in_order && fresh.len() == gone.len() - position).then_some(0);
        if let Some(at) = same_message.or_else(in_order) {
            let (other_index, other) = fresh.remove(at);
            let site = rule_site(site, *index, other_index);
            let (before, after) = (one_line(&rule.rule), one_line(&other.rule));
            let message = format!("the rule `{before}` is now `{after}`");
            out.push(of_rule(
                Change::new(&kinds::RULE_CHANGED, &site, message),
                Some(rule),
                Some(&other),
                old,
            ));
        } else {
            let site = rule_site(site, *index, *index);
            let message = format!("the rule `{}` is gone", one_line(&rule.rule));
            out.push(of_rule(
                Change::new(&kinds::RULE_REMOVED, &site, message),
                Some(rule),
                None,
                old,
            ));
        }
    }
    for (index, rule) in fresh {
        let site = rule_site(site, index, index);
        let message = format!("has the new rule `{}`", one_line(&rule.rule));
        out.push(of_rule(Change::new(&kinds::RULE_ADDED, &site, message), None, Some(&rule), old));
    }
}

/// Returns the place of a rule: in objects that of its schema, in manifests its own.
fn rule_site(site: &Site, old: usize, new: usize) -> Site {
    let mut site = site.clone();
    let below = |field: &str, index| format!("{field}.x-kubernetes-validations[{index}]");
    (site.old_field, site.new_field) = (below(&site.old_field, old), below(&site.new_field, new));
    site
}

fn of_rule(
    change: Change,
    before: Option<&ValidationRule>,
    after: Option<&ValidationRule>,
    schema: &JsonSchemaProps,
) -> Change {
    let mut change = change.values(before.map(|rule| json!(rule)), after.map(|rule| json!(rule)));
    change.rules = before.into_iter().chain(after).map(|rule| rule.rule.clone()).collect();
    if let Some(rule) = after {
        // The server prints the message, or the rule on one line. The text of an expression is not known.
        change.names = match (rule.message.trim(), rule.message_expression.as_str()) {
            (_, expression) if !expression.is_empty() => Vec::new(),
            ("", _) => vec![rule.rule.trim().to_owned()],
            (message, _) => vec![message.to_owned()],
        };
    }
    change.probe(schema, |_| {})
}
