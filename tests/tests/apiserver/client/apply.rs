//! The requests that an apply sends.

use crd_examples::crontab::{CronTab, CronTabApply, CronTabSpecApply, CronTabStatusApply};
use crd_runtime::client::{Api, ApplyExt as _};
use serde_json::{Value, json};

use super::double::Double;

const PATH: &str = "/apis/stable.example.com/v1/namespaces/prod/crontabs/nightly";

fn stored() -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly", "namespace": "prod", "resourceVersion": "7"},
        "spec": {"cronSpec": "* * * * *", "replicas": 2},
    })
}

fn config() -> CronTabApply {
    CronTabApply::new().spec(CronTabSpecApply::new().replicas(2))
}

/// The body of the request: the configuration with the name of the object.
fn sent() -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly"}, "spec": {"replicas": 2},
    })
}

#[tokio::test]
async fn a_configuration_is_sent_with_its_manager() {
    let double = Double::new().answer(200, &stored()).answer(200, &stored());
    let api = Api::<CronTab>::namespaced(double.client(), "prod");
    assert_eq!(api.apply("nightly", &config(), "me").await.unwrap().spec.replicas, 2);
    let named = config().name("nightly");
    api.apply("nightly", &named, "me").force().dry_run().strict().await.unwrap();
    let requests = double.requests();
    for request in &requests {
        assert_eq!(request.method, "PATCH");
        assert_eq!(request.content_type, "application/apply-patch+yaml");
        assert_eq!(request.body, sent());
    }
    assert_eq!(requests[0].uri, format!("{PATH}?&fieldManager=me"));
    let all = "?&dryRun=All&force=true&fieldManager=me&fieldValidation=Strict";
    assert_eq!(requests[1].uri, format!("{PATH}{all}"));
}

#[tokio::test]
async fn a_status_is_applied_to_its_subresource() {
    let double = Double::new().answer(200, &stored());
    let api = Api::<CronTab>::namespaced(double.client(), "prod");
    let config = CronTabApply::new().status(CronTabStatusApply::new().replicas(1));
    api.apply("nightly", &config, "me").status().await.unwrap();
    let requests = double.requests();
    assert_eq!(requests[0].uri, format!("{PATH}/status?&fieldManager=me"));
    assert_eq!(requests[0].body["status"], json!({"replicas": 1}));
}

#[tokio::test]
async fn kubes_own_api_applies_too() {
    let double = Double::new().answer(200, &stored());
    let api = kube::Api::<CronTab>::namespaced(double.client(), "prod");
    api.apply("nightly", &config(), "me").await.unwrap();
    assert_eq!(double.requests()[0].body, sent());
}

#[tokio::test]
async fn another_name_is_not_sent() {
    let double = Double::new();
    let api = Api::<CronTab>::namespaced(double.client(), "prod");
    let error = api.apply("nightly", &config().name("daily"), "me").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "apply CronTab prod/nightly: no such request: the configuration has the name \
         \"daily\": apply it to that, or leave the name out: correct the call",
    );
    assert!(double.requests().is_empty());
}

#[tokio::test]
async fn fields_of_other_managers_are_named() {
    let conflict = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 409,
        "reason": "Conflict",
        "message": "Apply failed with 1 conflict: conflict with \"other\": .spec.replicas",
        "details": {"causes": [{
            "reason": "FieldManagerConflict", "message": "conflict with \"other\"", "field": ".spec.replicas",
        }]},
    });
    let double = Double::new().answer(409, &conflict);
    let api = Api::<CronTab>::namespaced(double.client(), "prod");
    let error = api.apply("nightly", &config(), "me").await.unwrap_err();
    assert!(error.is_conflict());
    let conflicts = error.manager_conflicts();
    assert_eq!(conflicts[0].manager.as_deref(), Some("other"));
    assert_eq!(conflicts[0].field, ".spec.replicas");
}
