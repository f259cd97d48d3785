//! Validating admission policies.

use crd_apiserver::ApiServer;
use crd_fixtures::crd;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, builder, delete, get, object, patch, send, server};

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// Returns a policy for crontabs, with this spec besides its constraints.
fn policy(spec: Value) -> Value {
    policy_of("stable.example.com", "crontabs", spec)
}

fn policy_of(group: &str, resource: &str, mut spec: Value) -> Value {
    spec["matchConstraints"]["resourceRules"] = json!([{
        "operations": ["*"], "apiGroups": [group], "apiVersions": ["*"], "resources": [resource],
    }]);
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "p"}, "spec": spec,
    })
}

/// Returns a binding of the policy, with this spec besides its name and actions.
fn binding(mut spec: Value) -> Value {
    spec["policyName"] = "p".into();
    if spec.get("validationActions").is_none() {
        spec["validationActions"] = json!(["Deny"]);
    }
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "b"}, "spec": spec,
    })
}

/// Returns a server with a policy and its binding.
fn with(spec: Value) -> ApiServer {
    builder().with_object(&policy(spec)).with_object(&binding(json!({}))).start()
}

fn validations(validations: &Value) -> Value {
    json!({"validations": validations})
}

#[tokio::test]
async fn a_policy_denies_in_its_own_words() {
    let server = with(validations(&json!([
        {"expression": "object == null || object.spec.replicas <= 5", "message": "at most 5 replicas"},
    ])));
    let client = server.client();
    send(&client, "POST", CRONTABS, &object("a", 5)).await.ok();
    let rejected = send(&client, "POST", CRONTABS, &object("b", 6)).await;
    let why = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: at most 5 replicas";
    assert_eq!(
        rejected.body,
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 422,
            "reason": "Invalid", "message": format!("crontabs.stable.example.com \"b\" is forbidden: {why}"),
            "details": {
                "name": "b", "group": "stable.example.com", "kind": "crontabs", "causes": [{"message": why}],
            },
        })
    );
    let path = format!("{CRONTABS}/a");
    let change = json!({"spec": {"replicas": 6}});
    assert!(patch(&client, &path, "merge", &change).await.rejected(422).ends_with(why));
    let made = json!({"spec": {"replicas": 4}});
    assert_eq!(patch(&client, &path, "merge", &made).await.ok()["spec"]["replicas"], 4);
    delete(&client, &path).await.ok();
    // A policy without a binding does nothing.
    delete(&client, "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/b")
        .await
        .ok();
    send(&client, "POST", CRONTABS, &object("b", 6)).await.ok();
}

/// Checks the answer to the creation of a crontab with 6 replicas.
async fn check(server: ApiServer, code: u16, want: &str) {
    let answer = send(&server.client(), "POST", CRONTABS, &object("a", 6)).await;
    assert_eq!(answer.code, code, "{}", answer.body);
    let message = answer.body["message"].as_str().unwrap_or_default();
    assert!(message.ends_with(want), "{message}");
}

#[tokio::test]
async fn messages_and_reasons_are_those_of_validations() {
    let one = |validation: Value| with(validations(&json!([validation])));
    let no = "object.spec.replicas < 6";
    check(
        one(json!({"expression": no})),
        422,
        "denied request: failed expression: object.spec.replicas < 6",
    )
    .await;
    let forbidden = json!({"expression": no, "reason": "Forbidden", "message": " too many "});
    check(one(forbidden), 403, "denied request: too many").await;
    let computed = json!({
        "expression": no, "message": "fallback",
        "messageExpression": "'replicas: ' + string(object.spec.replicas)",
    });
    check(one(computed), 422, "denied request: replicas: 6").await;
    let wrong = json!({"expression": no, "message": "fallback", "messageExpression": "string(object.spec.none)"});
    check(one(wrong), 422, "denied request: fallback").await;
    let failing = json!({"expression": "object.spec.none == 1"});
    check(
        one(failing),
        422,
        "denied request: expression 'object.spec.none == 1' resulted in error: no such key: none",
    )
    .await;
}

#[tokio::test]
async fn expressions_see_variables_the_namespace_and_the_user() {
    let server = with(json!({
        "variables": [
            {"name": "spec", "expression": "object.spec"},
            {"name": "limit", "expression": "variables.spec.replicas > 5 ? 5 : 10"},
            {"name": "broken", "expression": "object.none.none"},
        ],
        "validations": [
            {"expression": "namespaceObject.metadata.name == 'default' && request.userInfo.username == 'jane'"},
            {"expression": "has(variables.limit) && variables.limit == 5"},
            {"expression": "variables.spec.replicas == 6 || variables.broken"},
            {"expression": "authorizer.requestResource.check('create').allowed()"},
        ],
    }));
    send(&server.client_as("jane"), "POST", CRONTABS, &object("a", 6)).await.ok();
    let joe = send(&server.client_as("joe"), "POST", CRONTABS, &object("b", 6)).await.rejected(422);
    assert!(joe.contains("failed expression: namespaceObject"), "{joe}");
    let why =
        send(&server.client_as("jane"), "POST", CRONTABS, &object("c", 1)).await.rejected(422);
    assert!(why.contains("failed expression: has(variables.limit)"), "{why}");
    let broken = json!({
        "variables": [{"name": "broken", "expression": "object.none.none"}],
        "validations": [{"expression": "variables.broken == 1"}],
    });
    check(
        with(broken),
        422,
        "expression 'variables.broken == 1' resulted in error: composited variable \"broken\" fails to evaluate: no \
         such key: none",
    )
    .await;
}

#[tokio::test]
async fn failures_admit_if_the_policy_ignores_them() {
    let failing = |policy: &str| {
        with(json!({
            "failurePolicy": policy,
            "validations": [{"expression": "object.spec.none == 1"}],
        }))
    };
    check(failing("Ignore"), 201, "").await;
    check(failing("Fail"), 422, "no such key: none").await;
    let unless = |condition: &str| {
        with(json!({
            "matchConditions": [{"name": "a", "expression": condition}],
            "validations": [{"expression": "false"}],
        }))
    };
    check(unless("object.spec.replicas == 1"), 201, "").await;
    check(unless("object.spec.replicas == 6"), 422, "failed expression: false").await;
    check(unless("object.none == 6"), 422, "resulted in error: no such key: none").await;
}

#[tokio::test]
async fn actions_warn_or_only_audit() {
    let never = validations(&json!([{"expression": "false", "message": "no"}]));
    let acts = |action: &str| {
        let actions = json!({"validationActions": [action]});
        builder().with_object(&policy(never.clone())).with_object(&binding(actions)).start()
    };
    let warned = send(&acts("Warn").client(), "POST", CRONTABS, &object("a", 1)).await;
    let text = "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no\"";
    assert_eq!((warned.code, warned.warnings), (201, vec![text.to_owned()]));
    let audited = send(&acts("Audit").client(), "POST", CRONTABS, &object("a", 1)).await;
    assert_eq!((audited.code, audited.warnings.len()), (201, 0));
    check(acts("Deny"), 422, "denied request: no").await;
}

#[tokio::test]
async fn bindings_narrow_a_policy_and_give_it_parameters() {
    let limits = json!({"type": "object", "properties": {"max": {"type": "integer"}}});
    let spec = json!({
        "paramKind": {"apiVersion": "example.com/v1", "kind": "Limit"},
        "validations": [{
            "expression": "params == null || object.spec.replicas <= params.max",
            "messageExpression": "'at most ' + string(params.max)",
        }],
    });
    let of = |definition: bool, reference: Value| {
        let server = if definition {
            builder().with_object(&crd("example.com", "Limit").version("v1", limits.clone()).json())
        } else {
            builder()
        };
        let server = if definition {
            server.with_object(&json!({
                "apiVersion": "example.com/v1", "kind": "Limit", "max": 5,
                "metadata": {"name": "small", "namespace": "default", "labels": {"a": "b"}},
            }))
        } else {
            server
        };
        server.with_object(&policy(spec.clone())).with_object(&binding(reference)).start()
    };
    let named = |name: &str, action: &str| json!({"paramRef": {"name": name, "parameterNotFoundAction": action}});
    check(of(true, named("small", "Deny")), 422, "denied request: at most 5").await;
    check(of(true, named("none", "Allow")), 201, "").await;
    check(
        of(true, named("none", "Deny")),
        422,
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    )
    .await;
    let selected = json!({
        "paramRef": {"selector": {"matchLabels": {"a": "b"}}, "parameterNotFoundAction": "Deny"},
    });
    check(of(true, selected), 422, "denied request: at most 5").await;
    check(of(true, json!({})), 201, "").await;
    check(
        of(false, named("small", "Deny")),
        422,
        "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by \
         paramKind: 'example.com/v1, Kind=Limit'",
    )
    .await;
    let elsewhere = json!({
        "matchResources": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "other"}}},
    });
    check(of(true, elsewhere), 201, "").await;
}

#[tokio::test]
async fn policies_apply_to_built_in_kinds_and_not_to_policies() {
    let none = validations(&json!([{"expression": "false", "message": "nothing changes"}]));
    let server = ApiServer::builder()
        .with_object(&policy_of("*", "*", none))
        .with_object(&binding(json!({})))
        .start();
    let client = server.client();
    let map = json!({"metadata": {"name": "a"}});
    let why = send(&client, "POST", MAPS, &map).await.rejected(422);
    assert!(why.starts_with("configmaps \"a\" is forbidden: ValidatingAdmissionPolicy"), "{why}");
    assert_eq!(get(&client, &format!("{MAPS}/a")).await.code, 404);
    let path = format!("{POLICIES}/p");
    delete(&client, &path).await.ok();
    send(&client, "POST", MAPS, &map).await.ok();
}

#[tokio::test]
async fn wrong_policies_are_rejected() {
    let client = server().client();
    let reject =
        async |spec: Value| send(&client, "POST", POLICIES, &policy(spec)).await.rejected(422);
    let why = reject(json!({})).await;
    assert_eq!(
        why,
        "ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: [spec.validations: Required value: \
         validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: \
         validations or auditAnnotations must contain at least one item]"
    );
    let why = reject(validations(&json!([{"expression": "object.spec"}]))).await;
    let text = "spec.validations[0].expression: Invalid value: \"object.spec\": must evaluate to bool but got dyn";
    assert!(why.ends_with(text), "{why}");
    let why = reject(validations(&json!([{"expression": "variables.x == 1"}]))).await;
    assert!(why.contains("undeclared reference to 'variables'"), "{why}");
    let why = reject(json!({
        "variables": [{"name": "a", "expression": "1"}, {"name": "for", "expression": "variables.a"}],
        "validations": [{"expression": "variables.b == 1"}, {"expression": "variables.a == 'x'"}],
    }))
    .await;
    assert!(
        why.contains("spec.variables[1].name: Invalid value: \"for\": must be a valid CEL"),
        "{why}"
    );
    assert!(why.contains("undefined field 'b'"), "{why}");
    assert!(why.contains("no matching overload for '_==_' applied to '(int, string)'"), "{why}");
    let bindings = POLICIES.replace("policies", "policybindings");
    let both = binding(json!({"validationActions": ["Deny", "Warn"]}));
    let why = send(&client, "POST", &bindings, &both).await.rejected(422);
    assert!(why.contains("must not contain both Deny and Warn"), "{why}");
}

#[tokio::test]
async fn policies_have_defaults() {
    let client = server().client();
    let made =
        send(&client, "POST", POLICIES, &policy(validations(&json!([{"expression": "true"}]))))
            .await
            .ok();
    assert_eq!(made["spec"]["failurePolicy"], "Fail");
    let constraints = &made["spec"]["matchConstraints"];
    assert_eq!(constraints["matchPolicy"], "Equivalent");
    assert_eq!(constraints["namespaceSelector"], json!({}));
    assert_eq!(constraints["resourceRules"][0]["scope"], "*");
    assert_eq!(made["metadata"]["generation"], 1);
}

#[tokio::test]
async fn reasons_and_actions_are_those_of_the_server() {
    let client = ApiServer::new().client();
    let group = "/apis/admissionregistration.k8s.io/v1";
    let rule = json!({
        "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"],
    });
    let policy = json!({"metadata": {"name": "a"}, "spec": {
        "matchConstraints": {"resourceRules": [rule]},
        "validations": [{"expression": "true", "reason": "Unauthorized"}],
    }});
    let path = format!("{group}/validatingadmissionpolicies");
    let why = send(&client, "POST", &path, &policy).await.rejected(422);
    let end = "spec.validations[0].reason: Unsupported value: \"Unauthorized\": supported values: \"Forbidden\", \
               \"Invalid\", \"RequestEntityTooLarge\"";
    assert!(why.ends_with(end), "{why}");
    let binding =
        json!({"metadata": {"name": "a"}, "spec": {"policyName": "a", "validationActions": []}});
    let path = format!("{group}/validatingadmissionpolicybindings");
    let why = send(&client, "POST", &path, &binding).await.rejected(422);
    assert!(why.ends_with("spec.validationActions: Required value"), "{why}");
}
