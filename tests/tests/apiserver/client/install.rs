//! Installation of definitions: new, changed, rejected, and not yet established ones.

use std::time::Duration;

use crd_examples::crontab::CronTab;
use crd_examples::host_port::{v1, v1beta1};
use crd_runtime::client::{ErrorKind, InstallOptions, Outcome, install, wait_established};
use crd_runtime::versions::Versions;
use crd_runtime::{CustomResource, KubernetesVersion};
use serde_json::{Value, json};

use super::double::Double;

const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NAME: &str = "crontabs.stable.example.com";

fn live(version: &str, established: &str) -> Value {
    let mut crd = serde_json::to_value(CronTab::crd()).unwrap();
    crd["metadata"]["resourceVersion"] = json!(version);
    crd["metadata"]["uid"] = json!("u");
    crd["status"] = json!({
        "acceptedNames": crd["spec"]["names"], "storedVersions": ["v1"],
        "conditions": [
            {"type": "NamesAccepted", "status": "True", "reason": "NoConflicts", "message": ""},
            {"type": "Established", "status": established, "reason": "Installing", "message": "soon"},
        ],
    });
    crd
}

/// The answer to `/version`.
fn version() -> Value {
    json!({"major": "1", "minor": "37", "gitVersion": "v1.37.2"})
}

fn missing() -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404,
        "reason": "NotFound", "message": "it is not there", "details": {"name": NAME},
    })
}

#[tokio::test(start_paused = true)]
async fn a_new_definition_is_applied_and_waited_for() {
    let double = Double::new()
        .answer(404, &missing())
        .answer(200, &version())
        .answer(201, &live("1", "False"))
        .answer(404, &missing())
        .answer_bytes(503, &[], "starting")
        .answer(200, &live("1", "False"))
        .answer(200, &live("2", "True"))
        .answer_bytes(404, &[], "404 page not found")
        .answer(200, &json!({"items": []}));
    let options = InstallOptions::default().force();
    let installed = install(&double.client(), &CronTab::crd(), &options).await.unwrap();
    assert_eq!(installed.outcome, Outcome::Created);
    assert_eq!(installed.to_string(), format!("{NAME} created"));
    let requests = double.requests();
    let want = format!("{PATH}/{NAME}?&force=true&fieldManager=crd-runtime");
    assert_eq!((&*requests[2].method, &*requests[2].uri), ("PATCH", &*want));
    assert_eq!(requests[2].content_type, "application/apply-patch+yaml");
    assert_eq!(requests[2].body["kind"], "CustomResourceDefinition");
    assert_eq!(requests[8].uri, "/apis/stable.example.com/v1/crontabs?&limit=1");
}

fn terminating() -> Value {
    let mut crd = live("1", "True");
    crd["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    crd
}

#[tokio::test(start_paused = true)]
async fn a_definition_that_is_being_deleted_is_waited_for() {
    let double = Double::new()
        .answer(200, &terminating())
        .answer(200, &terminating())
        .answer(404, &missing())
        .answer(200, &version())
        .answer(201, &live("2", "True"))
        .answer(200, &live("2", "True"))
        .answer(200, &json!({"items": []}));
    let options = InstallOptions::default();
    let installed = install(&double.client(), &CronTab::crd(), &options).await.unwrap();
    assert_eq!(installed.outcome, Outcome::Created);
    let methods: Vec<_> = double.requests().iter().map(|request| request.method.clone()).collect();
    assert_eq!(methods, ["GET", "GET", "GET", "GET", "PATCH", "GET", "GET"]);
}

#[tokio::test(start_paused = true)]
async fn a_definition_that_is_being_deleted_is_not_established() {
    let mut double = Double::new();
    for _ in 0..20 {
        double = double.answer(200, &terminating());
    }
    let wait = Duration::from_secs(5);
    let error = wait_established(&double.client(), NAME, wait).await.unwrap_err();
    assert!(error.is_deadline());
    let want = "it is being deleted, and is gone once its last object is";
    assert!(error.to_string().contains(want), "{error}");
}

#[tokio::test(start_paused = true)]
async fn several_versions_are_one_definition() {
    let crd = <(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("they agree");
    let mut live = serde_json::to_value(&crd).expect("JSON");
    live["status"] = json!({"conditions": [{"type": "Established", "status": "True"}]});
    let double = Double::new()
        .answer(404, &missing())
        .answer(200, &version())
        .answer(201, &live)
        .answer(200, &live)
        .answer(200, &json!({"items": []}))
        .answer(200, &json!({"items": []}));
    install(&double.client(), &crd, &InstallOptions::default()).await.unwrap();
    let requests = double.requests();
    assert_eq!(requests[2].body, serde_json::to_value(&crd).expect("JSON"));
    let served: Vec<_> = requests[4..].iter().map(|request| &*request.uri).collect();
    let want =
        ["/apis/example.com/v1/endpoints?&limit=1", "/apis/example.com/v1beta1/endpoints?&limit=1"];
    assert_eq!(served, want);
}

#[tokio::test(start_paused = true)]
async fn an_existing_definition_is_unchanged_or_updated() {
    let options = InstallOptions::default();
    for (version, want) in [("7", Outcome::Unchanged), ("8", Outcome::Updated)] {
        let double = Double::new()
            .answer(200, &live("7", "True"))
            .answer(200, &self::version())
            .answer(200, &live(version, "True"))
            .answer(200, &live(version, "True"))
            // A server that serves the kind answers 403 to a caller that may not list it.
            .answer_bytes(403, &[], "no");
        let installed = install(&double.client(), &CronTab::crd(), &options).await.unwrap();
        assert_eq!(installed.outcome, want);
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_that_the_server_would_reject_is_not_sent() {
    let double = Double::new().answer(200, &live("7", "True")).answer(200, &version());
    let mut crd = CronTab::crd();
    crd.spec.scope = "Cluster".to_owned();
    crd.spec.versions[0].name = "v2".to_owned();
    let options = InstallOptions::default();
    let error = install(&double.client(), &crd, &options).await.expect_err("an error");
    assert!(error.is_invalid() && error.is_preflight(), "{error}");
    let fields: Vec<_> = error.field_errors().into_iter().map(|error| error.field).collect();
    assert_eq!(fields, ["spec.scope", "status.storedVersions[0]"]);
    assert_eq!(double.request_lines()[1], "GET /version");

    // A server without `/version` counts as the reference version. It is not asked if the caller gives a version.
    let double = Double::new().answer(404, &missing()).answer_bytes(500, &[], "no");
    crd.spec.versions[0].schema = None;
    let error = install(&double.client(), &crd, &options).await.expect_err("an error");
    assert!(error.is_preflight(), "{error}");
    assert_eq!(double.requests().len(), 2);
    let double = Double::new().answer(404, &missing());
    let options = options.on(KubernetesVersion::OLDEST);
    let error = install(&double.client(), &crd, &options).await.expect_err("an error");
    assert!(error.is_preflight(), "{error}");
    assert_eq!(double.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn fields_of_others_are_reported() {
    let conflict = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 409,
        "reason": "Conflict", "message": "Apply failed with 1 conflict",
        "details": {"name": NAME, "causes": [{
            "reason": "FieldManagerConflict", "field": ".spec.scope",
            "message": "conflict with \"kubectl\" using apiextensions.k8s.io/v1",
        }]},
    });
    let double = Double::new()
        .answer(200, &live("7", "True"))
        .answer(200, &version())
        .answer(409, &conflict);
    let options = InstallOptions::default();
    let error = install(&double.client(), &CronTab::crd(), &options).await.expect_err("an error");
    assert_eq!(error.manager_conflicts()[0].manager.as_deref(), Some("kubectl"));
    assert!(error.to_string().ends_with("take them over with force"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn waiting_has_a_timeout() {
    let mut double = Double::new();
    let mut rejected = live("7", "False");
    rejected["status"]["conditions"][0] = json!({
        "type": "NamesAccepted", "status": "False", "reason": "PluralConflict",
        "message": "\"crontabs\" is already in use",
    });
    // Pauses of 50, 100, 200, 400, 800 and 1,000 ms, each shortened by up to a half: at most 11 requests in 2 s.
    for _ in 0..11 {
        double = double.answer(200, &rejected);
    }
    let timeout = Duration::from_secs(2);
    let error = wait_established(&double.client(), NAME, timeout).await.expect_err("an error");
    assert!(error.is_deadline(), "{error}");
    let ErrorKind::Deadline { waited, last } = error.kind() else { panic!("{error}") };
    assert_eq!(*waited, timeout);
    let want = "NamesAccepted is False: \"crontabs\" is already in use (PluralConflict)";
    assert_eq!(last, want);
}

#[tokio::test(start_paused = true)]
async fn a_permanent_error_ends_waiting() {
    let forbidden = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403,
        "reason": "Forbidden", "message": "no",
    });
    let double = Double::new().answer(403, &forbidden);
    let timeout = Duration::from_secs(60);
    let error = wait_established(&double.client(), NAME, timeout).await.expect_err("an error");
    assert!(error.is_forbidden());
    assert!(error.advice().contains("ClusterRole"), "{error}");
    double.requests();
}
