//! Merges and sorts rules as controller-gen does.
//!
//! Source: `pkg/rbac/parser.go` of kubernetes-sigs/controller-tools, `GenerateRoles`.

use std::collections::{BTreeMap, BTreeSet};

use super::need::Need;
use super::{Role, Rule};

/// Returns the roles that grant the needed permissions.
pub(super) fn roles(name: &str, needs: &BTreeSet<Need>) -> Vec<Role> {
    let mut by_namespace: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
    for need in needs.iter().filter(|need| !is_covered(need, needs)) {
        by_namespace.entry(need.namespace.clone()).or_default().push(rule(need));
    }
    let roles = by_namespace.into_iter().map(|(namespace, rules)| Role {
        namespace,
        name: name.to_owned(),
        rules: merge_rules(rules),
    });
    roles.collect()
}

/// Returns whether another permission covers this one. If two permissions cover each other, only the later one counts
/// as covered.
fn is_covered(need: &Need, needs: &BTreeSet<Need>) -> bool {
    needs
        .iter()
        .any(|other| other != need && other.covers(need) && !(need.covers(other) && need < other))
}

fn rule(need: &Need) -> Rule {
    let one = |text: &str| if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
    let is_url = !need.url.is_empty();
    Rule {
        api_groups: if is_url { Vec::new() } else { vec![need.group.clone()] },
        non_resource_urls: one(&need.url),
        resource_names: one(&need.name),
        resources: one(&need.resource),
        verbs: vec![need.verb.clone()],
    }
}

/// Merges rules that differ in only one list: first by verbs, then by resources, groups and URLs.
pub(super) fn merge_rules(rules: Vec<Rule>) -> Vec<Rule> {
    let rules = merge_by_list(rules, |rule| &mut rule.verbs);
    let rules = merge_by_list(rules, |rule| &mut rule.resources);
    let rules = merge_by_list(rules, |rule| &mut rule.api_groups);
    let mut rules = merge_by_list(rules, |rule| &mut rule.non_resource_urls);
    rules.sort_by_key(sort_key);
    for rule in &mut rules {
        if rule.verbs.iter().any(|verb| verb == "*") {
            rule.verbs = vec!["*".to_owned()];
        }
    }
    rules
}

/// Merges rules that are equal except for one list.
fn merge_by_list(rules: Vec<Rule>, list: fn(&mut Rule) -> &mut Vec<String>) -> Vec<Rule> {
    let mut merged: Vec<(Rule, BTreeSet<String>)> = Vec::new();
    for mut rule in rules {
        let own = std::mem::take(list(&mut rule));
        match merged.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, all)) => all.extend(own),
            None => merged.push((rule, own.into_iter().collect())),
        }
    }
    let rules = merged.into_iter().map(|(mut rule, all)| {
        *list(&mut rule) = all.into_iter().collect();
        rule
    });
    rules.collect()
}

fn sort_key(rule: &Rule) -> String {
    let lists = [&rule.api_groups, &rule.resources, &rule.resource_names, &rule.non_resource_urls];
    lists.map(|list| list.join("&")).join(" + ")
}
