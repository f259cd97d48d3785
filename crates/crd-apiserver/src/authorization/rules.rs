//! Rules of roles: which actions they allow, and which other rules they cover.
//!
//! Source: `pkg/apis/rbac/v1/evaluation_helpers.go` of kubernetes/kubernetes, and
//! `auth/rbac/validation/policy_comparator.go` of k8s.io/component-helpers.

use crd_engine::rbac::{covers_resource, covers_url};
use serde_json::{Map, Value};

use super::AuthorizerAttributes;

/// A rule of a role.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RoleRule {
    pub(super) groups: Vec<String>,
    pub(super) resources: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) urls: Vec<String>,
    pub(super) verbs: Vec<String>,
}

impl RoleRule {
    /// Returns the rules of a role.
    pub(super) fn all_of(role: &Value) -> Vec<Self> {
        let rules = role.get("rules").and_then(Value::as_array).into_iter().flatten();
        rules.map(Self::of).collect()
    }

    fn of(rule: &Value) -> Self {
        let texts = |key: &str| {
            let list = rule.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            groups: texts("apiGroups"),
            resources: texts("resources"),
            names: texts("resourceNames"),
            urls: texts("nonResourceURLs"),
            verbs: texts("verbs"),
        }
    }

    /// Returns the rule that allows all verbs on all resources.
    pub(super) fn everything() -> Self {
        let all = || vec!["*".to_owned()];
        Self { groups: all(), resources: all(), verbs: all(), ..Self::default() }
    }

    /// Returns the rule that allows all verbs on all paths other than those of resources.
    pub(super) fn every_url() -> Self {
        let all = || vec!["*".to_owned()];
        Self { urls: all(), verbs: all(), ..Self::default() }
    }

    /// Returns the rule as JSON, as in a role or in a review of rules.
    pub(super) fn to_value(&self) -> Value {
        let mut value = Map::new();
        let lists = [
            ("apiGroups", &self.groups),
            ("resources", &self.resources),
            ("resourceNames", &self.names),
            ("nonResourceURLs", &self.urls),
        ];
        for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            value.insert(key.to_owned(), list.clone().into());
        }
        value.insert("verbs".to_owned(), self.verbs.clone().into());
        value.into()
    }

    /// Returns whether the rule allows an action. Source: `RuleAllows`.
    pub(super) fn allows(&self, attributes: &AuthorizerAttributes) -> bool {
        let has = |list: &[String], wanted: &str| list.iter().any(|it| it == "*" || it == wanted);
        if !has(&self.verbs, &attributes.verb) {
            return false;
        }
        if !attributes.is_resource() {
            return self.urls.iter().any(|url| covers_url(url, &attributes.path));
        }
        let resource = attributes.combined();
        has(&self.groups, &attributes.group)
            && self.resources.iter().any(|owned| covers_resource(owned, &resource))
            && (self.names.is_empty() || self.names.contains(&attributes.name))
    }

    /// Splits the rule into parts, each of one verb on one resource of one group with at most one name, or of one verb
    /// on one path. Source: `BreakdownRule`.
    fn broken_down(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        let one = |text: &String| vec![text.clone()];
        for group in &self.groups {
            for resource in &self.resources {
                for verb in &self.verbs {
                    let part = Self {
                        groups: one(group),
                        resources: one(resource),
                        verbs: one(verb),
                        ..Self::default()
                    };
                    if self.names.is_empty() {
                        parts.push(part);
                        continue;
                    }
                    parts.extend(
                        self.names.iter().map(|name| Self { names: one(name), ..part.clone() }),
                    );
                }
            }
        }
        for url in &self.urls {
            for verb in &self.verbs {
                parts.push(Self { urls: one(url), verbs: one(verb), ..Self::default() });
            }
        }
        parts
    }

    /// Returns whether the rule allows all that a part of another rule allows. Source: `ruleCovers`.
    fn covers(&self, part: &Self) -> bool {
        let all = |set: &[String], wanted: &[String]| {
            set.iter().any(|it| it == "*") || wanted.iter().all(|it| set.contains(it))
        };
        let resources = part
            .resources
            .iter()
            .all(|wanted| self.resources.iter().any(|owned| covers_resource(owned, wanted)));
        let names = self.names.is_empty()
            || (!part.names.is_empty() && part.names.iter().all(|it| self.names.contains(it)));
        let urls =
            part.urls.iter().all(|wanted| self.urls.iter().any(|url| covers_url(url, wanted)));
        all(&self.verbs, &part.verbs)
            && all(&self.groups, &part.groups)
            && resources
            && names
            && urls
    }

    /// Returns the rule as error messages print it. Source: `CompactString`.
    pub(super) fn text(&self) -> String {
        let lists = [
            ("APIGroups", &self.groups),
            ("Resources", &self.resources),
            ("NonResourceURLs", &self.urls),
            ("ResourceNames", &self.names),
            ("Verbs", &self.verbs),
        ];
        let parts: Vec<String> = lists
            .into_iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(key, list)| format!("{key}:{}", go_list(list)))
            .collect();
        format!("{{{}}}", parts.join(", "))
    }
}

/// Formats strings as Go's `%q` prints a slice of them.
pub(super) fn go_list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| crd_cel::gofmt::quote(text)).collect();
    format!("[{}]", quoted.join(" "))
}

/// Returns the parts of the `wanted` rules that no `owned` rule covers. Parts that differ only in their verbs are
/// combined into one rule, except for those of paths. Source: `Covers` and `CompactRules`.
pub(super) fn missing(owned: &[RoleRule], wanted: &[RoleRule]) -> Vec<RoleRule> {
    let parts = wanted.iter().flat_map(RoleRule::broken_down);
    let mut compact: Vec<RoleRule> = Vec::new();
    for part in parts.filter(|part| !owned.iter().any(|rule| rule.covers(part))) {
        let is_alike = |known: &&mut RoleRule| {
            part.urls.is_empty()
                && (&known.groups, &known.resources, &known.names)
                    == (&part.groups, &part.resources, &part.names)
        };
        match compact.iter_mut().find(is_alike) {
            Some(known) => known.verbs.extend(part.verbs),
            None => compact.push(part),
        }
    }
    compact
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::user::User;
    use super::*;

    #[track_caller]
    fn check(rule: &Value, verb: &str, resource: &str, name: &str, want: bool) {
        let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        let attributes = AuthorizerAttributes {
            verb: verb.to_owned(),
            group: "apps".to_owned(),
            resource: resource.to_owned(),
            subresource: subresource.to_owned(),
            name: name.to_owned(),
            ..AuthorizerAttributes::only_user(&User::new("jane"))
        };
        assert_eq!(RoleRule::of(rule).allows(&attributes), want, "{rule} {verb} {resource}");
    }

    #[test]
    fn rules_allow_what_they_name() {
        let rule = |resources: Value, verbs: Value| json!({"apiGroups": ["apps"], "resources": resources, "verbs": verbs});
        check(&rule(json!(["deployments"]), json!(["get"])), "get", "deployments", "a", true);
        check(&rule(json!(["deployments"]), json!(["get"])), "list", "deployments", "", false);
        check(&rule(json!(["deployments"]), json!(["*"])), "get", "deployments/scale", "a", false);
        check(&rule(json!(["*/scale"]), json!(["get"])), "get", "deployments/scale", "a", true);
        check(&rule(json!(["*"]), json!(["get"])), "get", "deployments/scale", "a", true);
        let mut named = rule(json!(["deployments"]), json!(["get", "list"]));
        named["resourceNames"] = json!(["a"]);
        check(&named, "get", "deployments", "a", true);
        check(&named, "get", "deployments", "b", false);
        check(&named, "list", "deployments", "", false);
        let other = json!({"apiGroups": [""], "resources": ["*"], "verbs": ["*"]});
        check(&other, "get", "deployments", "a", false);
    }

    #[test]
    fn missing_permissions_are_grouped_by_resource() {
        let rules = |rules: Value| RoleRule::all_of(&json!({"rules": rules}));
        let owned = rules(json!([
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
            {"nonResourceURLs": ["/logs/*"], "verbs": ["*"]},
        ]));
        let wanted = rules(json!([
            {"apiGroups": [""], "resources": ["pods", "secrets"], "verbs": ["get", "list"]},
            {"nonResourceURLs": ["/logs/a", "/metrics"], "verbs": ["get"]},
        ]));
        let texts: Vec<String> = missing(&owned, &wanted).iter().map(RoleRule::text).collect();
        assert_eq!(
            texts,
            [
                "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"list\"]}",
                "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"list\"]}",
                "{NonResourceURLs:[\"/metrics\"], Verbs:[\"get\"]}",
            ]
        );
    }
}
