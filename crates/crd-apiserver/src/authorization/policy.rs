//! The default cluster roles and their bindings.
//!
//! Source: `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go` of kubernetes/kubernetes. The roles of Kubernetes'
//! own components are missing.

use serde_json::{Map, Value, json};

use super::super::user::MASTERS;
use super::GROUP;

/// The rules on built-in kinds that `admin`, `edit` and `view` aggregate, recorded from 1.37.
const RULES: &str = include_str!("roles.json");

/// Returns the default cluster roles and their bindings. `admin`, `edit` and `view` have no bindings; `edit` aggregates
/// the rules of `view`, and `admin` those of `edit`.
pub(in super::super) fn default_objects() -> Vec<Value> {
    let urls = |urls: &[&str]| json!([{"nonResourceURLs": urls, "verbs": ["get"]}]);
    let info = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
    let discovery = [
        "/api",
        "/api/*",
        "/apis",
        "/apis/*",
        "/healthz",
        "/livez",
        "/openapi",
        "/openapi/*",
        "/readyz",
        "/version",
        "/version/",
    ];
    let basic = json!([
        {
            "apiGroups": ["authorization.k8s.io"], "verbs": ["create"],
            "resources": ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
        },
        {"apiGroups": ["authentication.k8s.io"], "verbs": ["create"], "resources": ["selfsubjectreviews"]},
    ]);
    let all = json!([
        {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
        {"nonResourceURLs": ["*"], "verbs": ["*"]},
    ]);
    let known = ["system:authenticated"];
    let anybody = ["system:authenticated", "system:unauthenticated"];
    let mut objects = Vec::new();
    for (name, rules, groups) in [
        ("cluster-admin", all, &[MASTERS][..]),
        ("system:discovery", urls(&discovery), &known),
        ("system:public-info-viewer", urls(&info), &anybody),
        ("system:basic-user", basic, &known),
    ] {
        objects.push(json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "ClusterRole", "metadata": metadata(name),
            "rules": rules,
        }));
        let subjects: Vec<Value> = groups
            .iter()
            .map(|group| json!({"apiGroup": GROUP, "kind": "Group", "name": group}))
            .collect();
        objects.push(json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "ClusterRoleBinding", "metadata": metadata(name),
            "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": name}, "subjects": subjects,
        }));
    }
    for (name, includes_it) in [("admin", None), ("edit", Some("admin")), ("view", Some("edit"))] {
        let label_for = |name| format!("{GROUP}/aggregate-to-{name}");
        let mut metadata = metadata(name);
        if let Some(other) = includes_it {
            metadata["labels"][label_for(other)] = "true".into();
        }
        objects.push(json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "ClusterRole", "metadata": metadata,
            "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {label_for(name): "true"}}]},
        }));
    }
    // Does not fail: the text is embedded, and a test reads its roles.
    let rules: Map<String, Value> = serde_json::from_str(RULES).unwrap_or_default();
    for (name, rules) in rules {
        let mut metadata = metadata(&format!("system:aggregate-to-{name}"));
        metadata["labels"][format!("{GROUP}/aggregate-to-{name}")] = "true".into();
        objects.push(json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "ClusterRole", "metadata": metadata, "rules": rules,
        }));
    }
    objects
}

fn metadata(name: &str) -> Value {
    json!({
        "name": name, "labels": {"kubernetes.io/bootstrapping": "rbac-defaults"},
        "annotations": {"rbac.authorization.kubernetes.io/autoupdate": "true"},
    })
}
