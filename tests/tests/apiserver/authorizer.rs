//! Match conditions of admission webhooks that ask the authorizer.

use crd_apiserver::{AdmissionResponse, ApiServer, ApiServerBuilder, User};
use serde_json::{Value, json};

use crate::admission::configuration;
use crate::ask::{CRONTABS, builder, object, patch, send};
use crate::authorization::{binding, role, user};

/// Returns a server with a webhook that denies all writes for which the conditions hold.
fn with_conditions(server: ApiServerBuilder, expressions: &[&str]) -> ApiServer {
    let conditions: Vec<Value> = expressions
        .iter()
        .enumerate()
        .map(|(index, expression)| json!({"name": format!("c{index}"), "expression": expression}))
        .collect();
    let fields = json!({"matchConditions": conditions});
    server
        .with_object(&configuration("Validating", "no", &fields))
        .admission("no.example.com", |_| AdmissionResponse::deny("no"))
        .start()
}

/// Creates the crontab `a` as a user. Returns whether the webhook was called, or the message that a condition failed.
async fn webhook_called(
    server: ApiServerBuilder,
    who: &User,
    expressions: &[&str],
) -> Result<bool, String> {
    let client = with_conditions(server, expressions).client_as(who.clone());
    let answer = send(&client, "POST", CRONTABS, &object("a", 2)).await;
    match answer.code {
        201 => Ok(false),
        400 => Ok(true),
        _ => Err(answer.rejected(403)),
    }
}

/// Returns a server with authorization. Jane may create crontabs, update the status of `a`, get pods and read `/own`; the
/// service account `robot` may get pods. In the namespace `gap`, a binding of Jane refers to a role that does not
/// exist.
fn authorizing() -> ApiServerBuilder {
    let rules = json!([
        {"apiGroups": ["stable.example.com"], "resources": ["crontabs"], "verbs": ["create"]},
        {
            "apiGroups": ["stable.example.com"], "resources": ["crontabs/status"], "verbs": ["patch", "update"],
            "resourceNames": ["a"],
        },
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
    ]);
    let pods = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
    let own = json!([{"nonResourceURLs": ["/own"], "verbs": ["get"]}]);
    let robot = json!({"kind": "ServiceAccount", "namespace": "default", "name": "robot"});
    let mut gap = binding("RoleBinding", "gap", &user("jane"));
    gap["metadata"]["namespace"] = "gap".into();
    builder()
        .authorize()
        .with_object(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gap"}}))
        .with_object(&role("Role", "jane", &rules))
        .with_object(&binding("RoleBinding", "jane", &user("jane")))
        .with_object(&role("Role", "robot", &pods))
        .with_object(&binding("RoleBinding", "robot", &robot))
        .with_object(&role("ClusterRole", "own", &own))
        .with_object(&binding("ClusterRoleBinding", "own", &user("jane")))
        .with_object(&gap)
}

#[tokio::test]
async fn without_authorization_all_is_allowed() {
    for expression in [
        "authorizer.path('/metrics').check('get').allowed()",
        "authorizer.group('apps').resource('deployments').namespace('prod').name('web').check('delete').allowed()",
        "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('!').check('list').allowed()",
        "authorizer.serviceAccount('prod', 'robot').group('').resource('secrets').check('get').allowed()",
        "authorizer.requestResource.check('any').allowed()",
        "authorizer.requestResource.check('create').reason() == ''",
        "!authorizer.requestResource.check('create').errored()",
        "authorizer.requestResource.check('create').error() == ''",
    ] {
        let called = webhook_called(builder(), &User::new("jane"), &[expression]).await;
        assert_eq!(called, Ok(true), "{expression}");
    }
}

#[tokio::test]
async fn roles_decide_what_is_allowed() {
    let pods = "authorizer.group('').resource('pods').namespace('default')";
    for (expression, want) in [
        ("authorizer.path('/own').check('get').allowed()".to_owned(), true),
        ("authorizer.path('/own').check('GET').allowed()".to_owned(), false),
        ("authorizer.path('/metrics').check('get').allowed()".to_owned(), false),
        ("authorizer.path('/metrics').check('get').reason() == ''".to_owned(), true),
        (format!("{pods}.check('get').allowed()"), true),
        (format!("{pods}.name('web').check('get').allowed()"), true),
        (format!("{pods}.fieldSelector('spec.nodeName=n').check('get').allowed()"), true),
        (format!("{pods}.labelSelector('a in (').check('get').errored()"), false),
        (format!("{pods}.subresource('log').check('get').allowed()"), false),
        (format!("{pods}.namespace('').check('get').allowed()"), false),
        (format!("{pods}.check('delete').allowed()"), false),
        (format!("{pods}.check('delete').errored()"), false),
        (
            format!(
                "{pods}.check('get').reason() == 'RBAC: allowed by RoleBinding \"jane/default\" of Role \"jane\" to User \
                 \"jane\"'"
            ),
            true,
        ),
        (
            format!(
                "{pods}.namespace('gap').check('get').reason() == \
                 'rbac: RBAC: role.rbac.authorization.k8s.io \"gap\" not found'"
            ),
            true,
        ),
        ("authorizer.requestResource.check('create').allowed()".to_owned(), true),
        ("authorizer.requestResource.check('delete').allowed()".to_owned(), false),
        ("authorizer.requestResource.namespace('gap').check('create').allowed()".to_owned(), false),
        (
            "authorizer.requestResource.subresource('status').check('patch').allowed()".to_owned(),
            true,
        ),
    ] {
        let called = webhook_called(authorizing(), &User::new("jane"), &[&expression]).await;
        assert_eq!(called, Ok(want), "{expression}");
    }
}

#[tokio::test]
async fn service_accounts_have_rules_of_their_own() {
    let pods = "group('').resource('pods').namespace('default').check('get').allowed()";
    for (expression, want) in [
        (format!("authorizer.serviceAccount('default', 'robot').{pods}"), true),
        (format!("authorizer.serviceAccount('default', 'robot2').{pods}"), false),
        (format!("authorizer.serviceAccount('gap', 'robot').{pods}"), false),
        // Upstream: all authenticated users may get this path, and the service account is not one of them.
        ("authorizer.path('/api').check('get').allowed()".to_owned(), true),
        (
            "authorizer.serviceAccount('default', 'robot').path('/api').check('get').allowed()"
                .to_owned(),
            false,
        ),
    ] {
        let called = webhook_called(authorizing(), &User::new("jane"), &[&expression]).await;
        assert_eq!(called, Ok(want), "{expression}");
    }
}

#[tokio::test]
async fn the_resource_of_a_request_includes_its_subresource_and_name() {
    let fields = json!({
        "matchConditions": [
            {"name": "c", "expression": "authorizer.requestResource.check('update').allowed()"},
        ],
        "rules": [{
            "operations": ["UPDATE"], "apiGroups": ["*"], "apiVersions": ["v1"], "resources": ["crontabs/status"],
        }],
    });
    let server = authorizing()
        .with_object(&configuration("Validating", "no", &fields))
        .admission("no.example.com", |_| AdmissionResponse::deny("no"))
        .start();
    let (admin, jane) = (server.client(), server.client_as("jane"));
    for name in ["a", "b"] {
        send(&admin, "POST", CRONTABS, &object(name, 2)).await.ok();
    }
    let status = json!({"status": {"replicas": 1}});
    assert_eq!(patch(&jane, &format!("{CRONTABS}/a/status"), "merge", &status).await.code, 400);
    assert_eq!(patch(&jane, &format!("{CRONTABS}/b/status"), "merge", &status).await.code, 403);
    // The administrator may do everything.
    assert_eq!(patch(&admin, &format!("{CRONTABS}/b/status"), "merge", &status).await.code, 400);
}

#[tokio::test]
async fn errors_of_conditions_that_ask_the_authorizer() {
    let jane = User::new("jane");
    for (expression, want) in [
        ("authorizer.path(' ').check('get').allowed()", "path must not be empty"),
        ("authorizer.group('').resource('').check('get').allowed()", "resource must not be empty"),
        (
            "authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()",
            "Invalid service account name",
        ),
        (
            "authorizer.serviceAccount('A', 'b').path('/').check('get').allowed()",
            "Invalid service account namespace",
        ),
        ("authorizer.requestResource == authorizer.requestResource", "no such overload"),
        (
            "['a', 'b', 'c'].all(it, authorizer.requestResource.check(it).allowed())",
            "operation cancelled: actual cost limit exceeded",
        ),
    ] {
        assert_eq!(
            webhook_called(builder(), &jane, &[expression]).await,
            Err(format!(
                "crontabs.stable.example.com \"a\" is forbidden: expression '{expression}' resulted in error: {want}"
            ))
        );
    }
}

/// All conditions are evaluated, also after one that is false.
#[tokio::test]
async fn conditions_share_a_cost_limit() {
    let jane = User::new("jane");
    let two = "authorizer.path('/a').check('get').allowed() && authorizer.path('/b').check('get').allowed()";
    assert_eq!(webhook_called(builder(), &jane, &[two, two, two]).await, Ok(true));
    assert_eq!(webhook_called(builder(), &jane, &["false", two, two, two]).await, Ok(false));
    let over = Err("crontabs.stable.example.com \"a\" is forbidden: validation failed due to running out of cost budget, \
         no further validation rules will be run"
        .to_owned());
    assert_eq!(webhook_called(builder(), &jane, &[two, two, two, two]).await, over);
    assert_eq!(webhook_called(builder(), &jane, &["false", two, two, two, two]).await, over);
}
