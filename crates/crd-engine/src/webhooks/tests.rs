use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::*;

fn webhook() -> Value {
    json!({
        "name": "a.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://a.example.com/"}, "failurePolicy": "Fail",
        "rules": [{
            "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
        }],
    })
}

fn errors_of(object: &Value, old: Option<&Value>) -> Vec<String> {
    let mut errors = Sink::of(KubernetesVersion::REFERENCE);
    validate(object, old, KubernetesVersion::REFERENCE, &mut errors);
    errors.into_errors().iter().map(ToString::to_string).collect()
}

/// Checks the errors of a webhook after a field was replaced.
#[track_caller]
fn check(at: &str, value: Value, want: &[&str]) {
    let mut webhook = webhook();
    let (parent, key) = at.rsplit_once('/').expect("a path");
    match webhook.pointer_mut(parent).expect("a parent") {
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        other => panic!("{other}"),
    }
    let errors = errors_of(&json!({"webhooks": [webhook]}), None);
    let want: Vec<String> = want.iter().map(|want| format!("webhooks[0].{want}")).collect();
    assert_eq!(errors, want);
}

#[test]
fn fields() {
    check("/name", "a.example.com".into(), &[]);
    check(
        "/name",
        "a.b".into(),
        &[
            "name: Invalid value: \"a.b\": should be a domain with at least three segments separated by dots",
        ],
    );
    check(
        "/sideEffects",
        Value::Null,
        &["sideEffects: Required value: must specify one of None, NoneOnDryRun"],
    );
    check(
        "/sideEffects",
        "Some".into(),
        &["sideEffects: Unsupported value: \"Some\": supported values: \"None\", \"NoneOnDryRun\""],
    );
    check(
        "/failurePolicy",
        "Maybe".into(),
        &["failurePolicy: Unsupported value: \"Maybe\": supported values: \"Fail\", \"Ignore\""],
    );
    check(
        "/timeoutSeconds",
        31.into(),
        &["timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds"],
    );
    check(
        "/clientConfig",
        json!({}),
        &["clientConfig: Required value: exactly one of url or service is required"],
    );
    check(
        "/admissionReviewVersions",
        json!(["v2"]),
        &[
            "admissionReviewVersions: Invalid value: [\"v2\"]: must include at least one of v1, v1beta1",
        ],
    );
    check(
        "/objectSelector",
        json!({"matchExpressions": [{"key": "a", "operator": "In"}]}),
        &[
            "objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or \
           'NotIn'",
        ],
    );
}

#[test]
fn rules() {
    check(
        "/rules/0/operations",
        json!(["READ"]),
        &[
            "rules[0].operations[0]: Unsupported value: \"READ\": supported values: \"*\", \"CONNECT\", \"CREATE\", \
           \"DELETE\", \"UPDATE\"",
        ],
    );
    check("/rules/0/apiGroups", json!([]), &["rules[0].apiGroups: Required value"]);
    check(
        "/rules/0/apiVersions",
        json!(["*", "v1"]),
        &[
            "rules[0].apiVersions: Invalid value: [\"*\",\"v1\"]: if '*' is present, must not specify other API versions",
        ],
    );
    check(
        "/rules/0/resources",
        json!(["pods/*", "pods/status"]),
        &[
            "rules[0].resources[1]: Invalid value: \"pods/status\": if 'pods/*' is present, must not specify pods/status",
        ],
    );
    check(
        "/rules/0/resources",
        json!(["*", "pods"]),
        &[
            "rules[0].resources: Invalid value: [\"*\",\"pods\"]: if '*' is present, must not specify other resources \
           without subresources",
        ],
    );
    // Upstream: of the resources without a subresource, only the last one counts.
    check("/rules/0/resources", json!(["pods", "*"]), &[]);
}

#[test]
fn conditions() {
    let conditions = |expression: &str| json!([{"name": "c", "expression": expression}]);
    check("/matchConditions", conditions("request.userInfo.username != 'a'"), &[]);
    check(
        "/matchConditions",
        conditions("authorizer.group('').resource('pods').check('get').allowed()"),
        &[],
    );
    check(
        "/matchConditions",
        conditions("1"),
        &["matchConditions[0].expression: Invalid value: \"1\": must evaluate to bool but got int"],
    );
    check(
        "/matchConditions",
        json!([{"name": "", "expression": " "}]),
        &[
            "matchConditions[0].expression: Required value",
            "matchConditions[0].name: Required value",
        ],
    );
}

#[test]
fn an_update_may_keep_what_is_wrong() {
    let mut old = webhook();
    old["sideEffects"] = "Some".into();
    old["matchConditions"] = json!([{"name": "c", "expression": "1"}]);
    let old = json!({"webhooks": [old.clone(), old]});
    assert_eq!(errors_of(&old, Some(&old)), Vec::<String>::new());
    let mut new = old.clone();
    new["webhooks"][0]["matchConditions"] = json!([]);
    assert_eq!(errors_of(&new, Some(&old)).len(), 1);
    assert_eq!(errors_of(&old, None).len(), 5);
}

#[test]
fn rules_without_effect_are_warned_of() {
    let mut webhook = webhook();
    webhook["rules"][0]["apiGroups"] = json!(["authorization.k8s.io"]);
    webhook["rules"][0]["resources"] = json!(["subjectaccessreviews", "subjectaccessreviews"]);
    let object = json!({"webhooks": [webhook]});
    assert_eq!(
        warnings(&object, false, KubernetesVersion::REFERENCE),
        [
            "webhooks[0].rules[0]: subjectaccessreviews.authorization.k8s.io is excluded from admission webhooks; this rule \
          will have no effect"
        ]
    );
    let older = KubernetesVersion::of_minor(36).expect("a known minor");
    assert!(warnings(&object, false, older).is_empty());
}

#[test]
fn a_configuration_is_checked_with_the_defaults_of_the_server() {
    let hook = |name: &str| {
        Webhook::new(name).path("/v").on(["create"], "things.example.com/status", ["v1"])
    };
    let webhooks = Webhooks::new("x").service("a", "b");
    let both = webhooks.clone().validating(hook("b.example.com")).validating(hook("a.example.com"));
    assert_eq!(both.errors(), []);
    let objects =
        both.clone().mutating(hook("c.example.com").reinvocation_policy("IfNeeded")).objects();
    let kinds: Vec<&Value> = objects.iter().map(|object| &object["kind"]).collect();
    assert_eq!(kinds, ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);
    let names: Vec<&Value> = [0, 1].map(|index| &objects[1]["webhooks"][index]["name"]).to_vec();
    assert_eq!(names, ["a.example.com", "b.example.com"]);
    assert_eq!(objects[0]["webhooks"][0]["rules"][0]["resources"], json!(["things/status"]));
    let wrong = webhooks.validating(
        hook("short").timeout_seconds(60).side_effects("Some").match_condition("c", "object.x +"),
    );
    let errors: Vec<String> = wrong.errors().iter().map(|error| error.field.clone()).collect();
    let at = |key: &str| format!("webhooks[0].{key}");
    let keys = ["name", "sideEffects", "timeoutSeconds", "matchConditions[0].expression"];
    assert_eq!(errors, keys.map(at));
}
