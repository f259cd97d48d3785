//! Match conditions of webhooks that ask the authorizer, on the real server and on the API server of tests.

use crd_apiserver::ApiServer;
use http::{Request, header};
use kube::client::Body;
use serde_json::{Value, json};

use crate::cluster::{Cluster, eventually};

const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1";
const GROUP: &str = "rbac.authorization.k8s.io";
const CONFIGURATIONS: &str =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
/// The label that selects the webhook of one condition.
const LABEL: &str = "match-condition";
/// The user who may do what the roles here allow.
const USER: &str = "match-conditions";

/// A condition that holds once the server knows all roles and bindings.
const KNOWS_ALL_ROLES: &str = "authorizer.path('/match-conditions').check('get').allowed() && \
     authorizer.serviceAccount('default', 'match-conditions').group('').resource('pods').namespace('default')\
     .check('get').allowed()";

/// Conditions that hold, do not hold, or fail. The reasons of decisions are in the errors of `int(..)`.
const CONDITIONS: &[&str] = &[
    "authorizer.path('/match-conditions').check('get').allowed()",
    "authorizer.path('/match-conditions').check('GET').allowed()",
    "authorizer.path('match-conditions').check('get').allowed()",
    "authorizer.path('/metrics').check('get').allowed()",
    "authorizer.path('/api').check('get').allowed()",
    "authorizer.path(' ').check('get').allowed()",
    "int(authorizer.path('/match-conditions').check('get').reason()) == 0",
    "int(authorizer.path('/metrics').check('get').reason()) == 0",
    "authorizer.path('/metrics').check('get').errored()",
    "authorizer.path('/metrics').check('get').error() == ''",
    "authorizer.group('').resource('pods').namespace('default').check('get').allowed()",
    "authorizer.group('').resource('pods').namespace('default').name('a').check('get').allowed()",
    "authorizer.group('').resource('pods').namespace('default').subresource('log').check('get').allowed()",
    "authorizer.group('').resource('pods').namespace('').check('get').allowed()",
    "authorizer.group('apps').resource('pods').namespace('default').check('get').allowed()",
    "authorizer.group('').resource('').check('get').allowed()",
    "int(authorizer.group('').resource('pods').namespace('default').check('get').reason()) == 0",
    "int(authorizer.group('').resource('pods').namespace('default').check('list').reason()) == 0",
    "int(authorizer.group('').resource('pods').namespace('kube-system').check('get').reason()) == 0",
    "authorizer.group('').resource('pods').namespace('kube-system').check('get').errored()",
    "authorizer.serviceAccount('default', 'match-conditions').group('').resource('pods').namespace('default')\
     .check('get').allowed()",
    "int(authorizer.serviceAccount('default', 'match-conditions').group('').resource('pods').namespace('default')\
     .check('get').reason()) == 0",
    "authorizer.serviceAccount('default', 'other').group('').resource('pods').namespace('default').check('get').allowed()",
    "authorizer.serviceAccount('default', 'match-conditions').path('/api').check('get').allowed()",
    "authorizer.serviceAccount('a.b', 'c').path('/api').check('get').allowed()",
    "authorizer.serviceAccount('a', 'C').path('/api').check('get').allowed()",
    "authorizer.requestResource.check('create').allowed()",
    "authorizer.requestResource.check('delete').allowed()",
    "authorizer.requestResource.name('other').check('update').allowed()",
    "authorizer.requestResource.check('update').allowed()",
    "int(authorizer.requestResource.check('create').reason()) == 0",
    "authorizer == authorizer",
    "authorizer != authorizer",
    "authorizer.requestResource in [authorizer.requestResource]",
    "type(authorizer.requestResource) == type(authorizer.requestResource.name('a'))",
    "dyn(authorizer).requestResource.check('get').allowed()",
    "dyn(authorizer) in {'a': 1}",
    "authorizer.requestResource.check(dyn(1)).allowed()",
    "namespaceObject == null",
    "namespaceObject != null",
    "has(namespaceObject.metadata)",
    "namespaceObject.metadata.name == 'default'",
    "size(namespaceObject.spec.finalizers) == 0",
    "namespaceObject.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
    "['a', 'b'].all(it, !authorizer.requestResource.check(it).allowed())",
    "['a', 'b', 'c'].all(it, !authorizer.requestResource.check(it).allowed())",
];

/// Conditions with selectors, which not all minors have.
const SELECTORS: &[&str] = &[
    "authorizer.group('').resource('pods').namespace('default').fieldSelector('spec.nodeName=a').check('get').allowed()",
    "authorizer.group('').resource('pods').namespace('default').labelSelector('a in (').check('get').allowed()",
    "authorizer.group('').resource('pods').namespace('default').labelSelector('a in (').check('get').errored()",
];

/// Returns the roles and bindings, each with the path of its collection. No role exists for the binding
/// `match-conditions-gap`.
fn roles() -> Vec<(String, Value)> {
    let namespaced =
        |plural: &str, namespace: &str| format!("{RBAC}/namespaces/{namespace}/{plural}");
    let role = |kind: &str, name: &str, rules: Value| {
        json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": kind, "metadata": {"name": name}, "rules": rules,
        })
    };
    let binding = |kind: &str, name: &str, subject: &Value| {
        let of = kind.trim_end_matches("Binding");
        json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": kind, "metadata": {"name": name},
            "roleRef": {"apiGroup": GROUP, "kind": of, "name": name}, "subjects": [subject],
        })
    };
    let user = json!({"apiGroup": GROUP, "kind": "User", "name": USER});
    let account = json!({"kind": "ServiceAccount", "namespace": "default", "name": USER});
    let own = json!([
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create"]},
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["update"], "resourceNames": ["other"]},
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
    ]);
    let pods = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
    let path = json!([{"nonResourceURLs": ["/match-conditions"], "verbs": ["get"]}]);
    vec![
        (namespaced("roles", "default"), role("Role", USER, own)),
        (namespaced("roles", "default"), role("Role", "match-conditions-pods", pods)),
        (format!("{RBAC}/clusterroles"), role("ClusterRole", USER, path)),
        (
            namespaced("rolebindings", "kube-system"),
            binding("RoleBinding", "match-conditions-gap", &user),
        ),
        (namespaced("rolebindings", "default"), binding("RoleBinding", USER, &user)),
        (
            namespaced("rolebindings", "default"),
            binding("RoleBinding", "match-conditions-pods", &account),
        ),
        (format!("{RBAC}/clusterrolebindings"), binding("ClusterRoleBinding", USER, &user)),
    ]
}

/// Returns the configuration of a webhook that cannot be called, for config maps with this value of the label.
fn configuration(label: &str, conditions: &[&str]) -> Value {
    let conditions: Vec<Value> = (0..)
        .zip(conditions)
        .map(|(index, expression)| json!({"name": format!("c{index}"), "expression": expression}))
        .collect();
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": format!("match-conditions-{label}")},
        "webhooks": [{
            "name": "match-conditions.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"url": "https://127.0.0.1:1/"}, "matchConditions": conditions,
            "objectSelector": {"matchLabels": {LABEL: label}},
            "rules": [{
                "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"],
            }],
        }],
    })
}

/// Creates a config map with this value of the label, without storing it. Returns whether the webhook would be called,
/// or why the request is rejected.
async fn is_called(cluster: &Cluster, label: &str) -> Result<bool, String> {
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {LABEL: label}},
    });
    let request = Request::builder()
        .method("POST")
        .uri("/api/v1/namespaces/default/configmaps?dryRun=All")
        .header(header::CONTENT_TYPE, "application/json")
        .header("impersonate-user", USER)
        .body(Body::from(object.to_string().into_bytes()))
        .expect("a request");
    let answer = cluster.client.send(request).await.expect("the server answers");
    let code = answer.status().as_u16();
    let body = answer.into_body().collect_bytes().await.expect("a whole body");
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    match code {
        201 => Ok(false),
        500 => Ok(true),
        _ => Err(format!("{code} {}", body["message"].as_str().unwrap_or_default())),
    }
}

/// Evaluates conditions on both servers, which must decide the same.
pub(crate) async fn authorizer(real: Cluster) {
    let server = ApiServer::builder().kubernetes(real.kubernetes).authorize().start();
    let ours = Cluster { client: server.client(), ..real.clone() };
    let both = [&real, &ours];
    let with_selectors = real.kubernetes.minor() >= 32;
    let single = CONDITIONS.iter().chain(SELECTORS.iter().filter(|_| with_selectors));
    let mut cases: Vec<Vec<&str>> = single.map(|condition| vec![*condition]).collect();
    let two = "['a', 'b'].all(it, !authorizer.requestResource.check(it).allowed())";
    cases.push(vec![two; 3]);
    cases.push(vec![two; 4]);
    cases.push(vec!["false", two, two, two]);
    cases.push(vec!["false", two, two, two, two]);
    cases.push(vec!["authorizer.path('').check('get').allowed()", "dyn(1) == dyn('a')"]);
    cases.push(vec!["authorizer.path('').check('get').allowed()", "authorizer == authorizer"]);
    // The last one, so that the server knows the others when it knows this one.
    cases.push(vec![KNOWS_ALL_ROLES]);
    let last = (cases.len() - 1).to_string();

    let mut written = Vec::new();
    for (collection, object) in roles() {
        for cluster in both {
            cluster.create(&collection, &object).await.ok();
        }
        written.push((collection, object));
    }
    for (index, conditions) in cases.iter().enumerate() {
        let object = configuration(&index.to_string(), conditions);
        for cluster in both {
            let answer = cluster.create(CONFIGURATIONS, &object).await;
            assert!(answer.is_success(), "{conditions:?}: {}", answer.message());
        }
        written.push((CONFIGURATIONS.to_owned(), object));
    }
    for cluster in both {
        eventually("the roles and the webhooks", async || {
            (is_called(cluster, &last).await == Ok(true)).then_some(())
        })
        .await;
    }
    let mut differences = Vec::new();
    for (index, conditions) in cases.iter().enumerate() {
        let label = index.to_string();
        let (wanted, found) = (is_called(&real, &label).await, is_called(&ours, &label).await);
        if wanted != found {
            differences.push(format!("{conditions:?}: {wanted:?}, here {found:?}"));
        }
    }
    // Nothing is left for other scenarios to find.
    for (collection, object) in written {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let path = format!("{collection}/{name}");
        for cluster in both {
            cluster.send("DELETE", &path, "application/json", "application/json", Vec::new()).await;
        }
    }
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences.join("\n")
    );
}
