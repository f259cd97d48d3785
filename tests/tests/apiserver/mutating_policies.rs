//! Mutating admission policies.

use crd_apiserver::{AdmissionResponse, ApiServer, ApiServerBuilder};
use serde_json::{Value, json};

use crate::ask::{CRONTABS, builder, get, object, patch, send, server};

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";

/// Returns a policy for a resource, with these mutations and the other fields of `spec`.
fn policy(name: &str, resource: &str, mutations: Value, mut spec: Value) -> Value {
    spec["matchConstraints"] = json!({"resourceRules": [{
        "operations": ["CREATE", "UPDATE"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": [resource],
    }]});
    spec["mutations"] = mutations;
    if spec.get("reinvocationPolicy").is_none() {
        spec["reinvocationPolicy"] = "Never".into();
    }
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": name}, "spec": spec,
    })
}

/// Returns the binding of a policy.
fn binding(policy: &str, mut spec: Value) -> Value {
    spec["policyName"] = policy.into();
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": format!("{policy}-binding")}, "spec": spec,
    })
}

fn applies(expression: &str) -> Value {
    json!({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}})
}

fn patches(expression: &str) -> Value {
    json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}})
}

/// Returns a server with a policy `p` and its binding.
fn with(resource: &str, mutations: &Value, spec: &Value) -> ApiServer {
    bind(builder(), &policy("p", resource, mutations.clone(), spec.clone()))
}

fn bind(server: ApiServerBuilder, policy: &Value) -> ApiServer {
    let name = policy["metadata"]["name"].as_str().expect("a name");
    server.with_object(policy).with_object(&binding(name, json!({}))).start()
}

fn map(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "1"}})
}

/// Returns the created config map.
async fn created(server: &ApiServer) -> Value {
    send(&server.client(), "POST", MAPS, &map("a")).await.ok()
}

#[tokio::test]
async fn configurations_are_applied_by_the_types_of_lists() {
    let server = with(
        "deployments",
        &json!([applies(
            "Object{metadata: Object.metadata{labels: {'by': request.userInfo.username}}, spec: Object.spec{\
             ?replicas: object.spec.replicas < 2 ? optional.of(2) : optional.none(), template: Object.spec.template{\
             spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, \
             Object.spec.template.spec.containers{name: c.name, env: [Object.spec.template.spec.containers.env{\
             name: 'ADDED', value: 'yes'}]})}}}}"
        )]),
        &json!({}),
    );
    let container = json!({"name": "c", "image": "i", "env": [{"name": "OWN", "value": "1"}]});
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "labels": {"own": "1"}},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {
            "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container]},
        }},
    });
    let created = send(&server.client_as("jane"), "POST", DEPLOYMENTS, &deployment).await.ok();
    assert_eq!(created["metadata"]["labels"], json!({"own": "1", "by": "jane"}));
    assert_eq!(created["spec"]["replicas"], 2);
    let env = &created["spec"]["template"]["spec"]["containers"][0]["env"];
    let added = json!({"name": "ADDED", "value": "yes"});
    assert_eq!(*env, json!([{"name": "OWN", "value": "1"}, added]));
    // Nobody owns what the policy has added.
    let owned = created["metadata"]["managedFields"][0]["fieldsV1"].to_string();
    assert!(owned.contains("OWN") && !owned.contains("ADDED"), "{owned}");
}

#[tokio::test]
async fn operations_patch_objects() {
    let server = with(
        "configmaps",
        &json!([
            patches(
                "[JSONPatch{op: 'test', path: '/data/a', value: '1'}, JSONPatch{op: 'add', path: '/metadata/labels', \
             value: {}}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/a'), \
             value: variables.label}, JSONPatch{op: 'copy', from: '/data/a', path: '/data/b'}, \
             JSONPatch{op: 'add', path: '/data/c', value: jsonpatch.escapeKey('a~/')}]"
            ),
            patches(
                "[JSONPatch{op: 'test', path: '/data/a', value: '2'}, JSONPatch{op: 'remove', path: '/data'}]"
            )
        ]),
        &json!({"variables": [{"name": "label", "expression": "'v' + object.data.a"}]}),
    );
    let created = created(&server).await;
    assert_eq!(created["metadata"]["labels"], json!({"example.com/a": "v1"}));
    // The second patch fails its test, and changes nothing.
    assert_eq!(created["data"], json!({"a": "1", "b": "1", "c": "a~0~1"}));
}

#[tokio::test]
async fn custom_resources_are_changed_and_conditions_decide() {
    let server = with(
        "crontabs",
        &json!([
            applies("Object{spec: Object.spec{replicas: params.data.replicas == '7' ? 7 : 0}}"),
            patches(
                "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'n': string(object.spec.replicas)}}]"
            ),
        ]),
        &json!({
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
            "matchConditions": [{"name": "few", "expression": "object.spec.replicas < 5"}],
        }),
    );
    let client = server.client();
    let path = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings/p-binding";
    let mut bound = get(&client, path).await.ok();
    bound["spec"]["paramRef"] = json!({"name": "params", "parameterNotFoundAction": "Deny"});
    send(&client, "PUT", path, &bound).await.ok();
    let why = send(&client, "POST", CRONTABS, &object("a", 1)).await;
    assert_eq!(
        (why.code, &why.body["reason"], why.body["message"].as_str()),
        (
            403,
            &json!("Forbidden"),
            Some(
                "policy 'p' with binding 'p-binding' denied request: failed to configure binding: no params found for \
             policy binding with `Deny` parameterNotFoundAction"
            )
        )
    );
    let mut params = map("params");
    params["data"] = json!({"replicas": "7"});
    send(&client, "POST", MAPS, &params).await.ok();
    let changed = send(&client, "POST", CRONTABS, &object("a", 1)).await.ok();
    assert_eq!(changed["spec"]["replicas"], 7);
    // Each mutation sees the object after the one before it.
    assert_eq!(changed["metadata"]["annotations"], json!({"n": "7"}));
    let kept = send(&client, "POST", CRONTABS, &object("b", 6)).await.ok();
    assert_eq!(kept["spec"]["replicas"], 6);
}

/// Checks the answer to the creation of a config map.
async fn check(mutation: Value, code: u16, want: &str) {
    let server = with("configmaps", &json!([mutation]), &json!({}));
    let answer = send(&server.client(), "POST", MAPS, &map("a")).await;
    assert_eq!(answer.code, code, "{}", answer.body);
    assert_eq!(answer.body["message"], want);
}

#[tokio::test]
async fn errors_are_those_of_the_server() {
    const DENIED: &str = "policy 'p' with binding 'p-binding' denied request:";
    check(
        applies("Object{none: 1}"),
        403,
        &format!(
            "{DENIED} error applying patch: failed to convert patch object to typed object: .none: field not declared \
             in schema"
        ),
    )
    .await;
    check(
        applies("Object{metadata: Object.wrong{}}"),
        403,
        &format!(
            "{DENIED} type mismatch: unexpected type name \"Object.wrong\", expected \"Object.metadata\", which matches \
             field name path from root Object type"
        ),
    )
    .await;
    check(
        applies("Object{data: object.data.none}"),
        403,
        &format!("{DENIED} expression 'Object{{data: object.data.none}}' resulted in error: no such key: none"),
    )
    .await;
    check(
        patches("[JSONPatch{op: 'remove', path: '/data/none'}]"),
        403,
        &format!("{DENIED} JSON Patch: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value"),
    )
    .await;
    check(
        patches("[JSONPatch{op: 'add', path: '/none', value: 1}]"),
        500,
        "Internal error occurred: strict decoding error: unknown field \"none\"",
    )
    .await;
    let open = with(
        "configmaps",
        &json!([applies("Object{none: 1}")]),
        &json!({"failurePolicy": "Ignore"}),
    );
    assert_eq!(created(&open).await["data"], json!({"a": "1"}));
}

#[tokio::test]
async fn policies_are_reinvoked_after_later_changes() {
    let counts = "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('n' + string(size(object.data))), value: ''}]";
    let again = json!({"reinvocationPolicy": "IfNeeded"});
    let hook = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": "h"}, "webhooks": [{
            "name": "h.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"service": {"namespace": "default", "name": "h"}},
            "rules": [{"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]}],
        }],
    });
    let server = builder().with_object(&hook).admission("h.example.com", |_| {
        AdmissionResponse::patch(json!([{"op": "add", "path": "/data/hook", "value": ""}]))
    });
    let server = bind(server, &policy("a", "configmaps", json!([patches(counts)]), again));
    let data = created(&server).await["data"].as_object().expect("data").clone();
    assert_eq!(data.keys().collect::<Vec<_>>(), ["a", "hook", "n1", "n3"]);
}

#[tokio::test]
async fn policies_are_validated() {
    let client = server().client();
    let rejected =
        async |policy: Value| send(&client, "POST", POLICIES, &policy).await.rejected(422);
    let of = |mutations: Value| policy("p", "configmaps", mutations, json!({}));
    let why = rejected(of(json!([]))).await;
    assert!(
        why.ends_with("spec.mutations: Required value: mutations must contain at least one item"),
        "{why}"
    );
    let why = rejected(of(json!([applies("{'a': 1}")]))).await;
    assert!(why.contains("expression: Invalid value: \"{'a': 1}\": must evaluate to Object but got map(string, int)"), "{why}");
    let why = rejected(of(json!([patches("[]")]))).await;
    assert!(why.contains("must evaluate to list(JSONPatch) but got list(dyn)"), "{why}");
    let why = rejected(of(json!([patches("[JSONPatch{op: 1}]")]))).await;
    assert!(
        why.contains("expected type of field 'op' is 'string' but provided type is 'int'"),
        "{why}"
    );
    let mut both = applies("Object{}");
    both["jsonPatch"] = json!({"expression": "[JSONPatch{}]"});
    let why = rejected(of(json!([both]))).await;
    assert!(
        why.ends_with(
            "spec.mutations[0].jsonPatch: Invalid value: \"{jsonPatch}\": must not be specified when patchType is \
             ApplyConfiguration"
        ),
        "{why}"
    );
    let mut deletes = of(json!([applies("Object{}")]));
    deletes["spec"]["matchConstraints"]["resourceRules"][0]["operations"] = json!(["DELETE"]);
    let why = rejected(deletes).await;
    assert!(
        why.ends_with(
            "spec.matchConstraints.resourceRules.operations: Unsupported value: \"DELETE\": supported values: \"*\", \
             \"CONNECT\", \"CREATE\", \"UPDATE\""
        ),
        "{why}"
    );
}

/// The server says `expected type of field 'foo' is '' but provided type is 'int'`.
#[tokio::test]
async fn unknown_fields_of_operations_are_undefined() {
    let policy = policy("p", "configmaps", json!([patches("[JSONPatch{foo: 1}]")]), json!({}));
    let why = send(&server().client(), "POST", POLICIES, &policy).await.rejected(422);
    assert!(why.contains("undefined field 'foo'"), "{why}");
}

#[tokio::test]
async fn servers_before_1_36_do_not_serve_mutating_policies() {
    for (minor, code) in [("1.35", 404), ("1.36", 200)] {
        let server = ApiServer::builder().kubernetes(minor.parse().expect("a version")).start();
        assert_eq!(get(&server.client(), POLICIES).await.code, code, "{minor}");
    }
}

/// The unknown fields of a custom resource go when it is stored.
#[tokio::test]
async fn a_mutation_sees_the_unknown_fields_of_the_one_before() {
    let mutations = json!([
        patches("[JSONPatch{op: 'add', path: '/spec/hue', value: 'red'}]"),
        applies("Object{metadata: Object.metadata{labels: {'a': 'b'}}}"),
    ]);
    let server = with("crontabs", &mutations, &json!({}));
    let why = send(&server.client(), "POST", CRONTABS, &object("a", 1)).await.rejected(403);
    let end = "error applying patch: failed to convert original object to typed object: .spec.hue: field not declared \
               in schema";
    assert!(why.ends_with(end), "{why}");
    let server = with("crontabs", &mutations, &json!({"failurePolicy": "Ignore"}));
    let made = send(&server.client(), "POST", CRONTABS, &object("a", 1)).await.ok();
    assert!(made["metadata"]["labels"].is_null() && made["spec"]["hue"].is_null(), "{made}");
}

/// What a policy has added to a custom resource may prevent its own second evaluation.
#[tokio::test]
async fn a_policy_is_evaluated_again_for_its_own_changes() {
    let mutations = json!([
        applies("Object{metadata: Object.metadata{labels: {'a': 'b'}}}"),
        patches("[JSONPatch{op: 'add', path: '/spec/hue', value: 'red'}]"),
    ]);
    for (again, code) in [("Never", 201), ("IfNeeded", 403)] {
        let server = with("crontabs", &mutations, &json!({"reinvocationPolicy": again}));
        let made = send(&server.client(), "POST", CRONTABS, &object("a", 1)).await;
        assert_eq!(made.code, code, "{again}: {}", made.body);
    }
}

#[tokio::test]
async fn configurations_cannot_be_applied_to_scales() {
    let expression = "Object{spec: Object.spec{replicas: 2}}";
    let server = with("deployments/scale", &json!([applies(expression)]), &json!({}));
    let spec = json!({
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    });
    let deployment = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec});
    server.create(&deployment).expect("created");
    let client = server.client();
    let path = "/apis/apps/v1/namespaces/default/deployments/d/scale";
    let rejected = patch(&client, path, "merge", &json!({"spec": {"replicas": 3}})).await;
    let why = rejected.rejected(403);
    let end = "denied request: error applying patch: failed to convert patch object to typed object: no corresponding \
               type for autoscaling/v1, Kind=Scale";
    assert!(why.ends_with(end), "{why}");
}
