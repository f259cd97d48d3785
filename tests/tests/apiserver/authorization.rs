//! Authorization by roles and bindings, access reviews, and impersonation.

use crd_apiserver::{ApiServer, ApiServerBuilder, User};
use kube::Client;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, ask, builder, delete, get, object, patch, send, server};

const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
const GROUP: &str = "rbac.authorization.k8s.io";

pub(crate) fn role(kind: &str, name: &str, rules: &Value) -> Value {
    let mut role = json!({
        "apiVersion": format!("{GROUP}/v1"), "kind": kind, "metadata": {"name": name}, "rules": rules,
    });
    if kind == "Role" {
        role["metadata"]["namespace"] = "default".into();
    }
    role
}

pub(crate) fn binding(kind: &str, name: &str, subject: &Value) -> Value {
    let role_kind = kind.trim_end_matches("Binding");
    let mut binding = json!({
        "apiVersion": format!("{GROUP}/v1"), "kind": kind, "metadata": {"name": name},
        "roleRef": {"apiGroup": GROUP, "kind": role_kind, "name": name}, "subjects": [subject],
    });
    if kind == "RoleBinding" {
        binding["metadata"]["namespace"] = "default".into();
    }
    binding
}

pub(crate) fn user(name: &str) -> Value {
    json!({"apiGroup": GROUP, "kind": "User", "name": name})
}

/// Returns a server whose user jane has these rules in the namespace `default`.
fn with_rules(rules: &Value) -> ApiServer {
    builder_with_rules(rules).start()
}

fn builder_with_rules(rules: &Value) -> ApiServerBuilder {
    builder().authorize().with_object(&role("Role", "jane", rules)).with_object(&binding(
        "RoleBinding",
        "jane",
        &user("jane"),
    ))
}

async fn can(client: &Client, attributes: Value) -> Value {
    let review = json!({"spec": {"resourceAttributes": attributes}});
    let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    send(client, "POST", path, &review).await.ok()["status"].clone()
}

#[tokio::test]
async fn only_what_rules_allow_is_done() {
    let server = with_rules(&json!([
        {"apiGroups": ["stable.example.com"], "resources": ["crontabs"], "verbs": ["create", "get", "list", "watch"]},
        {"apiGroups": ["stable.example.com"], "resources": ["crontabs/scale"], "verbs": ["patch"], "resourceNames": ["a"]},
    ]));
    let jane = server.client_as("jane");
    send(&jane, "POST", CRONTABS, &object("a", 2)).await.ok();
    send(&jane, "POST", CRONTABS, &object("b", 2)).await.ok();
    get(&jane, CRONTABS).await.ok();
    let rejected = delete(&jane, &format!("{CRONTABS}/a")).await;
    assert_eq!(
        rejected.body,
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 403, "reason": "Forbidden",
            "message": "crontabs.stable.example.com \"a\" is forbidden: User \"jane\" cannot delete resource \"crontabs\" in \
                        API group \"stable.example.com\" in the namespace \"default\"",
            "details": {"group": "stable.example.com", "kind": "crontabs", "name": "a"},
        })
    );
    let scale = json!({"spec": {"replicas": 3}});
    patch(&jane, &format!("{CRONTABS}/a/scale"), "merge", &scale).await.ok();
    assert_eq!(
        patch(&jane, &format!("{CRONTABS}/b/scale"), "merge", &scale).await.rejected(403),
        "crontabs.stable.example.com \"b\" is forbidden: User \"jane\" cannot patch resource \"crontabs/scale\" in API group \
         \"stable.example.com\" in the namespace \"default\""
    );
    assert_eq!(
        get(&jane, "/apis/stable.example.com/v1/crontabs").await.rejected(403),
        "crontabs.stable.example.com is forbidden: User \"jane\" cannot list resource \"crontabs\" in API group \
         \"stable.example.com\" at the cluster scope"
    );
    assert_eq!(
        delete(&jane, CRONTABS).await.rejected(403),
        "crontabs.stable.example.com is forbidden: User \"jane\" cannot deletecollection resource \"crontabs\" in API group \
         \"stable.example.com\" in the namespace \"default\""
    );
    assert_eq!(get(&jane, "/apis").await.code, 200, "discovery is for all");
    assert_eq!(
        get(&jane, "/metrics").await.rejected(403),
        "forbidden: User \"jane\" cannot get path \"/metrics\""
    );
    // Other users may do nothing, and the client without a user everything.
    assert_eq!(get(&server.client_as("john"), CRONTABS).await.code, 403);
    assert_eq!(delete(&server.client(), CRONTABS).await.code, 200);
}

#[tokio::test]
async fn without_authorization_everybody_may_do_all() {
    let client = server().client_as("nobody");
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    assert_eq!(
        can(&client, json!({"verb": "get", "resource": "secrets"})).await,
        json!({"allowed": true})
    );
}

#[tokio::test]
async fn subjects_are_users_groups_and_service_accounts() {
    let rules = json!([{"apiGroups": ["*"], "resources": ["crontabs"], "verbs": ["list"]}]);
    let account = json!({"kind": "ServiceAccount", "namespace": "prod", "name": "operator"});
    let group = json!({"apiGroup": GROUP, "kind": "Group", "name": "dev"});
    for (subject, allowed, rejected) in [
        (
            account,
            User::service_account("prod", "operator"),
            User::service_account("dev", "operator"),
        ),
        (group, User::new("jane").group("dev"), User::new("jane").group("ops")),
    ] {
        let server = builder()
            .authorize()
            .with_object(&role("ClusterRole", "reader", &rules))
            .with_object(&binding("ClusterRoleBinding", "reader", &subject))
            .start();
        get(&server.client_as(allowed), "/apis/stable.example.com/v1/crontabs").await.ok();
        assert_eq!(get(&server.client_as(rejected), CRONTABS).await.code, 403, "{subject}");
    }
}

#[tokio::test]
async fn reviews_say_why() {
    let server = with_rules(&json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]));
    let jane = server.client_as("jane");
    let pods = |verb: &str| json!({"verb": verb, "resource": "pods", "namespace": "default"});
    assert_eq!(
        can(&jane, pods("get")).await,
        json!({
            "allowed": true,
            "reason": "RBAC: allowed by RoleBinding \"jane/default\" of Role \"jane\" to User \"jane\"",
        })
    );
    assert_eq!(can(&jane, pods("list")).await, json!({"allowed": false}));
    // kube-apiserver 1.36 answers with these managed fields.
    let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    let review = json!({"spec": {"resourceAttributes": pods("get")}});
    let review = send(&jane, "POST", path, &review).await.ok();
    assert_eq!(
        review["metadata"]["managedFields"][0]["fieldsV1"],
        json!({"f:spec": {"f:resourceAttributes": {".": {}, "f:namespace": {}, "f:resource": {}, "f:verb": {}}}})
    );
    assert_eq!(
        send(&jane, "POST", path, &json!({"spec": {}})).await.rejected(422),
        ".authorization.k8s.io \"\" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of \
         nonResourceAttributes or resourceAttributes must be specified"
    );
    assert_eq!(get(&jane, path).await.code, 403);
    let dangling = binding("ClusterRoleBinding", "absent", &user("jane"));
    server.create(&dangling).expect("created");
    assert_eq!(
        can(&server.client_as("jane"), pods("list")).await,
        json!({"allowed": false, "reason": "rbac: RBAC: clusterrole.rbac.authorization.k8s.io \"absent\" not found"})
    );
    // Older servers do not name the authorizer.
    let older = builder_with_rules(&json!([]))
        .kubernetes("1.36".parse().expect("a version"))
        .with_object(&dangling)
        .start();
    assert_eq!(
        can(&older.client_as("jane"), pods("list")).await["reason"],
        "RBAC: clusterrole.rbac.authorization.k8s.io \"absent\" not found"
    );
    let path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    let rules = send(&jane, "POST", path, &json!({"spec": {"namespace": "default"}})).await.ok();
    let resources = rules["status"]["resourceRules"].as_array().cloned().unwrap_or_default();
    assert!(
        resources.contains(&json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]})),
        "{rules}"
    );
    let rejected = send(&jane, "POST", path, &json!({"spec": {}})).await.rejected(400);
    assert_eq!(rejected, "no namespace on request");
    let path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    let who = send(&jane, "POST", path, &json!({})).await.ok();
    assert_eq!(who["status"]["userInfo"]["username"], "jane");
    let path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    let review = json!({"spec": {"user": "jane", "resourceAttributes": pods("get")}});
    assert_eq!(send(&jane, "POST", path, &review).await.code, 403);
    assert_eq!(send(&server.client(), "POST", path, &review).await.ok()["status"]["allowed"], true);
}

#[tokio::test]
async fn nobody_grants_what_they_do_not_have() {
    let server = with_rules(&json!([
        {"apiGroups": [GROUP], "resources": ["roles", "rolebindings"], "verbs": ["create"]},
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
    ]));
    let jane = server.client_as("jane");
    let pods = |verbs: Value| json!([{"apiGroups": [""], "resources": ["pods"], "verbs": verbs}]);
    send(&jane, "POST", ROLES, &role("Role", "less", &pods(json!(["get"])))).await.ok();
    let rejected =
        send(&jane, "POST", ROLES, &role("Role", "more", &pods(json!(["get", "list"])))).await;
    assert_eq!(
        rejected.rejected(403),
        "roles.rbac.authorization.k8s.io \"more\" is forbidden: user \"jane\" (groups=[\"system:authenticated\"]) is \
         attempting to grant RBAC permissions not currently held:\n{APIGroups:[\"\"], Resources:[\"pods\"], \
         Verbs:[\"list\"]}"
    );
    let bindings = ROLES.replace("roles", "rolebindings");
    let john = user("john");
    send(&jane, "POST", &bindings, &binding("RoleBinding", "less", &john)).await.ok();
    let admin = server.client();
    send(&admin, "POST", ROLES, &role("Role", "more", &pods(json!(["list"])))).await.ok();
    let more = binding("RoleBinding", "more", &john);
    let absent = binding("RoleBinding", "absent", &john);
    assert_eq!(
        send(&jane, "POST", &bindings, &absent).await.rejected(404),
        "rolebindings.rbac.authorization.k8s.io \"absent\" not found"
    );
    let rejected = send(&jane, "POST", &bindings, &more).await.rejected(403);
    assert!(
        rejected.starts_with("rolebindings.rbac.authorization.k8s.io \"more\" is forbidden: user"),
        "{rejected}"
    );
    let bind = json!([{"apiGroups": [GROUP], "resources": ["roles"], "verbs": ["bind"], "resourceNames": ["more"]}]);
    send(&admin, "POST", ROLES, &role("Role", "binder", &bind)).await.ok();
    let mut binder = binding("RoleBinding", "binder", &user("jane"));
    binder["roleRef"]["name"] = "binder".into();
    send(&admin, "POST", &bindings, &binder).await.ok();
    send(&jane, "POST", &bindings, &more).await.ok();
}

#[tokio::test]
async fn cluster_roles_gather_the_rules_of_others() {
    let server = builder().authorize().start();
    let admin = server.client();
    let path = format!("/apis/{GROUP}/v1/clusterroles");
    let mut part = role(
        "ClusterRole",
        "crontab-view",
        &json!([
            {"apiGroups": ["stable.example.com"], "resources": ["crontabs"], "verbs": ["get", "list"]},
        ]),
    );
    part["metadata"]["labels"] = json!({"rbac.authorization.k8s.io/aggregate-to-view": "true"});
    send(&admin, "POST", &path, &part).await.ok();
    let view = get(&admin, &format!("{path}/view")).await.ok();
    let own = &part["rules"][0];
    let has = |role: &Value| role["rules"].as_array().is_some_and(|rules| rules.contains(own));
    assert!(has(&view), "{view}");
    let managers: Vec<(&Value, &Value)> = view["metadata"]["managedFields"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| (&it["manager"], &it["operation"]))
        .collect();
    assert!(
        managers.contains(&(&json!("clusterrole-aggregation-controller"), &json!("Apply"))),
        "{managers:?}"
    );
    // `edit` includes `view`, and `admin` includes `edit`.
    for name in ["edit", "admin"] {
        let role = get(&admin, &format!("{path}/{name}")).await.ok();
        assert!(has(&role), "{role}");
    }
    delete(&admin, &format!("{path}/crontab-view")).await.ok();
    for name in ["view", "edit", "admin"] {
        let role = get(&admin, &format!("{path}/{name}")).await.ok();
        assert!(
            !has(&role) && role["rules"].as_array().is_some_and(|rules| rules.len() > 9),
            "{role}"
        );
    }
}

/// Which of the default roles may do what in a namespace.
#[tokio::test]
async fn default_roles_have_rules_on_built_in_kinds() {
    let mut server = builder().authorize();
    let roles = ["view", "edit", "admin", "cluster-admin"];
    for name in roles {
        let mut binding = binding("RoleBinding", name, &user(name));
        binding["roleRef"]["kind"] = "ClusterRole".into();
        server = server.with_object(&binding);
    }
    let server = server.start();
    let namespace = "/api/v1/namespaces/default";
    let rbac = format!("/apis/{GROUP}/v1/namespaces/default/roles");
    for (path, method, may) in [
        (format!("{namespace}/configmaps"), "GET", [true; 4]),
        (format!("{namespace}/secrets"), "GET", [false, true, true, true]),
        (format!("{namespace}/configmaps"), "POST", [false, true, true, true]),
        (
            "/apis/apps/v1/namespaces/default/deployments".to_owned(),
            "DELETE",
            [false, true, true, true],
        ),
        (rbac, "GET", [false, false, true, true]),
        (format!("{namespace}/resourcequotas"), "POST", [false, false, false, true]),
        ("/api/v1/namespaces/other/configmaps".to_owned(), "GET", [false; 4]),
    ] {
        for (name, may) in roles.into_iter().zip(may) {
            let answer = send(&server.client_as(name), method, &path, &json!({})).await;
            assert_eq!(answer.code != 403, may, "{name} {method} {path}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn impersonation_is_allowed_by_rules() {
    let server = builder()
        .authorize()
        .with_object(&role("ClusterRole", "support", &json!([
            {"apiGroups": [""], "resources": ["users"], "verbs": ["impersonate"], "resourceNames": ["jane"]},
        ])))
        .with_object(&binding("ClusterRoleBinding", "support", &user("support")))
        .with_object(&role("Role", "jane", &json!([
            {"apiGroups": ["stable.example.com"], "resources": ["crontabs"], "verbs": ["list"]},
        ])))
        .with_object(&binding("RoleBinding", "jane", &user("jane")))
        .start();
    let support = server.client_as("support");
    let listed = async |client: &Client, user: &str, group: &str| {
        let group = if group.is_empty() { ("", "") } else { ("impersonate-group", group) };
        ask(client, "GET", CRONTABS, [("impersonate-user", user), group], Vec::new()).await
    };
    assert_eq!(listed(&support, "jane", "").await.code, 200);
    assert_eq!(
        listed(&support, "john", "").await.rejected(403),
        "users \"john\" is forbidden: User \"support\" cannot impersonate resource \"users\" in API group \"\" at the cluster \
         scope"
    );
    let rejected = listed(&support, "jane", "system:masters").await.rejected(403);
    assert!(rejected.starts_with("groups \"system:masters\" is forbidden"), "{rejected}");
    assert_eq!(listed(&server.client(), "john", "").await.code, 403);
    assert_eq!(listed(&server.client(), "john", "system:masters").await.code, 200);
    let admin = server.client();
    let nobody = ask(&admin, "GET", CRONTABS, [("impersonate-group", "x"), ("", "")], Vec::new());
    assert_eq!(
        nobody.await.rejected(400),
        "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"x\"}, Extra:map[string][]string(nil)} without \
         impersonating a user name"
    );
}
