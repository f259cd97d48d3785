//! The default cluster roles and their bindings.
//!
//! Source: `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go` of kubernetes/kubernetes. The rules of `admin`,
//! `edit` and `view` for built-in kinds are missing, as are the roles of Kubernetes' own components.

use serde_json::{Value, json};

use super::super::user::MASTERS;
use super::GROUP;

/// Returns the default cluster roles and their bindings. `admin`, `edit` and `view` have none; `edit` aggregates the
/// rules of `view`, and `admin` those of `edit`.
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
    objects
}

fn metadata(name: &str) -> Value {
    json!({
        "name": name, "labels": {"kubernetes.io/bootstrapping": "rbac-defaults"},
        "annotations": {"rbac.authorization.kubernetes.io/autoupdate": "true"},
    })
}
