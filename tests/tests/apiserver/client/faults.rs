//! Failures of calls. Each must be a typed error that says what to do next.

use std::time::Duration;

use crd_examples::crontab::{CronTab, CronTabSpec};
use crd_runtime::client::{Api, Error, ErrorKind};
use crd_runtime::field;
use futures::{StreamExt, TryStreamExt};
use kube::api::{ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use serde_json::{Value, json};

use super::double::Double;

fn api(double: &Double) -> Api<CronTab> {
    Api::namespaced(double.client(), "prod")
}

fn new() -> CronTab {
    let spec = CronTabSpec { cron_spec: "* * * * *".to_owned(), image: None, replicas: 2 };
    CronTab::new("nightly", spec)
}

#[expect(clippy::needless_pass_by_value, reason = "details are written with `json!`")]
fn status(code: u16, reason: &str, message: &str, details: Value) -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "code": code, "reason": reason, "message": message, "details": details,
    })
}

/// Returns the error of a `get` for an answer.
async fn get(code: u16, headers: &[(&'static str, &'static str)], body: &[u8]) -> Error {
    let double = Double::new().answer_bytes(code, headers, body);
    api(&double).get("nightly").await.expect_err("an error")
}

async fn get_status(code: u16, reason: &str, message: &str, details: Value) -> Error {
    get(code, &[], status(code, reason, message, details).to_string().as_bytes()).await
}

/// Checks the kind of an error, and that it has no other kind.
#[track_caller]
fn check(error: &Error, kind: &str, want: &str) {
    let questions = [
        ("unauthorized", error.is_unauthorized()),
        ("forbidden", error.is_forbidden()),
        ("not_found", error.is_not_found()),
        ("already_exists", error.is_already_exists()),
        ("conflict", error.is_conflict()),
        ("gone", error.is_gone()),
        ("invalid", error.is_invalid()),
        ("too_many_requests", error.is_too_many_requests()),
        ("bad_request", error.is_bad_request()),
        ("server_error", error.is_server_error()),
        ("unreachable", error.is_unreachable()),
        ("tls", error.is_tls()),
        ("interrupted", error.is_interrupted()),
        ("type_mismatch", error.is_type_mismatch()),
        ("deadline", error.is_deadline()),
    ];
    let yes: Vec<_> = questions.iter().filter(|(_, yes)| *yes).map(|(name, _)| *name).collect();
    assert_eq!(yes, [kind], "{error}");
    assert_eq!(error.to_string(), want);
    assert!(!error.advice().is_empty());
}

#[tokio::test]
async fn unauthorized() {
    let error = get_status(401, "Unauthorized", "Unauthorized", json!({})).await;
    check(
        &error,
        "unauthorized",
        "get CronTab prod/nightly: Unauthorized (401 Unauthorized): renew the token or certificate of the \
         kubeconfig or service account",
    );
    let request = error.request();
    assert_eq!((request.verb, &*request.kind), ("get", "CronTab"));
    assert_eq!(request.namespace.as_deref(), Some("prod"));
    assert_eq!(request.name.as_deref(), Some("nightly"));
}

#[tokio::test]
async fn forbidden() {
    let details = json!({
        "name": "nightly", "group": "stable.example.com", "kind": "crontabs",
    });
    let error = get_status(403, "Forbidden", "crontabs is forbidden: no", details.clone()).await;
    check(
        &error,
        "forbidden",
        "get CronTab prod/nightly: crontabs is forbidden: no (403 Forbidden): allow it by a Role with verb \
         `get` on `crontabs` of the group `stable.example.com`",
    );
    let answer = status(403, "Forbidden", "crontabs is forbidden: no", details);
    let double = Double::new().answer(403, &answer);
    let patch = Patch::Merge(json!({}));
    let params = PatchParams::default();
    let error = api(&double).patch_scale("nightly", &params, &patch).await.expect_err("an error");
    assert!(error.advice().contains("verb `patch` on `crontabs/scale`"), "{error}");
}

#[tokio::test]
async fn a_namespace_that_is_being_deleted() {
    let message = "unable to create new content in namespace prod because it is being terminated";
    let error = get_status(403, "Forbidden", message, json!({})).await;
    assert!(error.advice().contains("wait until the namespace is gone"), "{error}");
}

#[tokio::test]
async fn not_found() {
    let details = json!({"name": "nightly", "group": "stable.example.com", "kind": "crontabs"});
    let message = "crontabs.stable.example.com \"nightly\" not found";
    let error = get_status(404, "NotFound", message, details).await;
    check(
        &error,
        "not_found",
        "get CronTab prod/nightly: crontabs.stable.example.com \"nightly\" not found (404 NotFound): create \
         it, or check its name and namespace",
    );
    // For a resource that is not served, the answer is plain text.
    let error = get(404, &[("content-type", "text/plain")], b"404 page not found\n").await;
    check(
        &error,
        "not_found",
        "get CronTab prod/nightly: 404 page not found (404): install the definition \
         crontabs.stable.example.com with this version served, and wait until it is established \
         (`client::install`)",
    );
    let double = Double::new().answer_bytes(404, &[], "404 page not found");
    assert!(api(&double).get_opt("nightly").await.unwrap().is_none());
}

#[tokio::test]
async fn conflicts_are_distinguished() {
    let message = "Operation cannot be fulfilled on crontabs.stable.example.com \"nightly\": the object has \
                   been modified; please apply your changes to the latest version and try again";
    let error = get_status(409, "Conflict", message, json!({})).await;
    let want = format!(
        "get CronTab prod/nightly: {message} (409 Conflict): read it again and repeat the change (`modify` \
         does so)"
    );
    check(&error, "conflict", &want);

    let error = get_status(409, "AlreadyExists", "it already exists", json!({})).await;
    check(
        &error,
        "already_exists",
        "get CronTab prod/nightly: it already exists (409 AlreadyExists): change the object that is there \
         (`create_or_update` does either)",
    );

    let details = json!({"causes": [{
        "reason": "FieldManagerConflict", "field": ".spec.replicas",
        "message": "conflict with \"kube\\\"ctl\" using stable.example.com/v1",
    }]});
    let error = get_status(409, "Conflict", "Apply failed with 1 conflict", details).await;
    assert!(error.is_conflict());
    assert!(error.advice().contains("with force"), "{error}");
    let conflicts = error.manager_conflicts();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].manager.as_deref(), Some("kube\"ctl"));
    assert_eq!(conflicts[0].field, ".spec.replicas");
}

#[tokio::test]
async fn invalid_has_the_errors_of_the_fields() {
    let message = "CronTab.stable.example.com \"nightly\" is invalid: [..]";
    let details = json!({
        "name": "nightly", "group": "stable.example.com", "kind": "CronTab", "causes": [
            {"reason": "FieldValueInvalid", "field": "spec.replicas",
             "message": "Invalid value: 11: spec.replicas in body should be less than or equal to 10"},
            {"reason": "FieldValueRequired", "field": "spec.cronSpec", "message": "Required value"},
        ],
    });
    let error = get_status(422, "Invalid", message, details).await;
    let want = format!("get CronTab prod/nightly: {message} (422 Invalid): correct the fields");
    check(&error, "invalid", &want);
    let errors = error.field_errors();
    let kinds: Vec<_> = errors.iter().map(|error| (error.kind, error.field.as_str())).collect();
    let want = [
        (field::ErrorKind::Invalid, "spec.replicas"),
        (field::ErrorKind::Required, "spec.cronSpec"),
    ];
    assert_eq!(kinds, want);
    let first = errors.iter().next().expect("an error");
    assert_eq!(first.bad_value, 11.into());
    assert_eq!(first.detail, "spec.replicas in body should be less than or equal to 10");
    assert!(!error.is_preflight());
}

#[tokio::test]
async fn too_many_requests_say_how_long_to_wait() {
    let text = b"Too many requests, please try again later.\n";
    let error = get(429, &[("retry-after", "7")], text).await;
    check(
        &error,
        "too_many_requests",
        "get CronTab prod/nightly: Too many requests, please try again later. (429): try again in 7 s; send \
         fewer requests at a time",
    );
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    assert!(error.is_transient());
    let details = json!({"retryAfterSeconds": 3});
    let error = get_status(429, "TooManyRequests", "busy", details).await;
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3)));
    assert!(error.is_too_many_requests());
}

#[tokio::test]
async fn failures_of_the_server() {
    let error = get_status(500, "InternalError", "etcd is gone", json!({})).await;
    check(
        &error,
        "server_error",
        "get CronTab prod/nightly: etcd is gone (500 InternalError): try again later, with growing pauses",
    );
    let error = get(503, &[("retry-after", "1")], b"<html>upstream</html>").await;
    assert!(error.is_server_error() && error.is_transient());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
    let error = get(504, &[], &vec![b'x'; 100_000]).await;
    assert!(error.to_string().len() < 2_000, "a page of a proxy is cut");
    assert!(error.is_transient(), "reading again does no harm");
    // The write may have been done.
    let double = Double::new().answer_bytes(504, &[], "");
    let error = api(&double).create(&PostParams::default(), &new()).await.expect_err("an error");
    assert!(error.advice().contains("read the object first"), "{error}");
    assert!(!error.is_transient(), "{error}");
    // The server has not begun to work on it.
    let double = Double::new().answer_bytes(503, &[("retry-after", "1")], "");
    let error = api(&double).create(&PostParams::default(), &new()).await.expect_err("an error");
    assert!(error.is_transient(), "{error}");
}

#[tokio::test]
async fn gone_on_a_list_and_on_a_watch() {
    let expired = status(410, "Expired", "too old resource version: 1 (9)", json!({}));
    let double = Double::new().answer(410, &expired);
    let error = api(&double).list(&ListParams::default()).await.expect_err("an error");
    check(
        &error,
        "gone",
        "list CronTab in prod: too old resource version: 1 (9) (410 Expired): list again, and watch from the \
         version of that list",
    );
    let double = Double::new().answer(410, &expired);
    let error = api(&double).watch(&WatchParams::default(), "1").await.err().expect("an error");
    assert!(error.is_gone());
    // Usually, the stream begins, and then has an error as its event.
    let event = json!({"type": "ERROR", "object": expired});
    let double = Double::new().answer(200, &event);
    let mut events = api(&double).watch(&WatchParams::default(), "1").await.unwrap();
    let error = events.next().await.expect("an event").expect_err("an error");
    assert!(error.is_gone(), "{error}");
    assert!(events.next().await.is_none());
}

fn stored(replicas: &Value) -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": "nightly", "namespace": "prod", "resourceVersion": "7"},
        "spec": {"cronSpec": "* * * * *", "replicas": replicas},
    })
}

#[tokio::test]
async fn an_object_that_no_longer_fits_the_type() {
    let error = get(200, &[], stored(&json!("many")).to_string().as_bytes()).await;
    check(
        &error,
        "type_mismatch",
        "get CronTab prod/nightly: prod/nightly does not fit the Rust type: invalid type: string \"many\", \
         expected i32 (spec.replicas: Invalid value: \"string\": spec.replicas in body must be of type \
         integer: \"string\"): correct the object as `DynamicObject`, or make the type read it (an `Option`, \
         a `default`) and install its definition of crontabs.stable.example.com",
    );
    let errors = error.field_errors();
    assert_eq!(errors.iter().next().map(|error| error.field.as_str()), Some("spec.replicas"));
    // The error of a list names the object.
    let mut bad = stored(&json!("many"));
    bad["metadata"]["name"] = json!("bad");
    let list = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTabList", "metadata": {},
        "items": [stored(&json!(1)), bad],
    });
    let double = Double::new().answer(200, &list);
    let error = api(&double).list(&ListParams::default()).await.expect_err("an error");
    let ErrorKind::TypeMismatch(mismatch) = error.kind() else { panic!("{error}") };
    assert_eq!(mismatch.object, "prod/bad");
    // A watch continues after such an object.
    let lines = format!(
        "{}\n{}\n",
        json!({"type": "ADDED", "object": bad}),
        json!({"type": "MODIFIED", "object": stored(&json!(1))}),
    );
    let double = Double::new().answer_bytes(200, &[], lines);
    let mut events = api(&double).watch(&WatchParams::default(), "1").await.unwrap();
    assert!(events.next().await.expect("an event").expect_err("an error").is_type_mismatch());
    let event = events.try_next().await.unwrap();
    assert!(matches!(event, Some(WatchEvent::Modified(crontab)) if crontab.spec.replicas == 1));
}

#[tokio::test]
async fn an_answer_that_is_no_object() {
    let error = get(200, &[], b"<html>sign in</html>").await;
    assert!(matches!(error.kind(), ErrorKind::Unreadable(_)), "{error}");
    assert!(error.advice().contains("no proxy answers in its place"), "{error}");
    let error = get(200, &[], br#"{"apiVersion": "stable.example.com/v1", "#).await;
    assert!(error.is_interrupted(), "{error}");
}

#[tokio::test]
async fn an_invalid_name_is_not_requested() {
    let double = Double::new();
    let error = api(&double).get("").await.expect_err("an error");
    assert!(matches!(error.kind(), ErrorKind::Request(_)), "{error}");
    let error = api(&double).get("a b").await.expect_err("an error");
    assert!(matches!(error.kind(), ErrorKind::Request(_)), "{error}");
    assert!(double.requests().is_empty());
}
