//! Writes: fields that the type does not have are kept, conflicts with other writers are resolved, and retries end.

use crd_runtime::client::{Api, ErrorKind, MAX_ATTEMPTS, Outcome};
use crd_runtime::{CrdSchema, CustomResource};
use kube::api::PostParams;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::double::Double;

/// A job of steps.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced, status = JobStatus)]
pub(crate) struct JobSpec {
    size: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Step>,
    #[crd(list_type = "map", list_map_keys("name"))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ports: Vec<Port>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Step {
    run: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Port {
    name: String,
    port: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub(crate) struct JobStatus {
    done: bool,
}

fn stored(version: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Job",
        "metadata": {"name": "a", "namespace": "default", "resourceVersion": version, "uid": "u"},
        "spec": {
            "size": 1, "note": "of a newer version", "steps": [{"run": "x", "shell": "sh"}],
            "ports": [{"name": "a", "port": 1, "tls": true}, {"name": "b", "port": 2, "tls": false}],
        },
        "status": {"done": false, "seen": 3},
    })
}

fn api(double: &Double) -> Api<Job> {
    Api::default_namespaced(double.client())
}

fn step(run: &str) -> Step {
    Step { run: run.to_owned() }
}

fn conflict() -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 409,
        "reason": "Conflict", "message": "the object has been modified",
    })
}

fn exists() -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 409,
        "reason": "AlreadyExists", "message": "it exists",
    })
}

fn missing() -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404,
        "reason": "NotFound", "message": "it is not there", "details": {"name": "a"},
    })
}

#[tokio::test]
async fn replace_keeps_unknown_fields() {
    let double =
        Double::new().answer(200, &stored("7")).answer(200, &stored("7")).answer(200, &stored("8"));
    let api = api(&double);
    let mut job = api.get("a").await.unwrap();
    job.spec.size = 2;
    job.spec.ports.remove(0);
    job.spec.ports.push(Port { name: "c".to_owned(), port: 3 });
    api.replace("a", &PostParams::default(), &job).await.unwrap();
    let requests = double.requests();
    let mut want = stored("7");
    want["spec"]["size"] = json!(2);
    want["spec"]["ports"] =
        json!([{"name": "b", "port": 2, "tls": false}, {"name": "c", "port": 3}]);
    assert_eq!((&*requests[2].method, &requests[2].body), ("PUT", &want));
}

#[tokio::test]
async fn unknown_fields_that_cannot_be_kept_are_an_error() {
    let double = Double::new().answer(200, &stored("7"));
    let error = api(&double)
        .modify("a", &PostParams::default(), |job| job.spec.steps = vec![step("y"), step("z")])
        .await
        .expect_err("an error");
    let ErrorKind::Dropped { fields } = error.kind() else { panic!("{error}") };
    assert_eq!(fields, &["spec.steps[0].shell"]);
    assert_eq!(
        error.to_string(),
        "replace Job default/a: not sent, because the Rust type would drop spec.steps[0].shell: add the fields \
         to the type, or write through `kube()` to drop them on purpose"
    );
    assert_eq!(double.requests().len(), 1);
}

#[tokio::test]
async fn an_outdated_object_is_rejected_by_the_server() {
    let double = Double::new().answer(200, &stored("8")).answer(409, &conflict());
    let job: Job = serde_json::from_value(stored("7")).unwrap();
    let error =
        api(&double).replace("a", &PostParams::default(), &job).await.expect_err("an error");
    assert!(error.is_conflict());
    assert_eq!(double.requests()[1].body["metadata"]["resourceVersion"], "7");
}

#[tokio::test]
async fn a_write_of_the_status_keeps_unknown_fields() {
    let double = Double::new().answer(200, &stored("7")).answer(200, &stored("8"));
    let written = api(&double)
        .modify_status("a", &PostParams::default(), |job| {
            job.status = Some(JobStatus { done: true });
        })
        .await
        .unwrap();
    let mut unknown = written.unknown;
    unknown.sort_unstable();
    let want = [
        "spec.note",
        "spec.ports[0].tls",
        "spec.ports[1].tls",
        "spec.steps[0].shell",
        "status.seen",
    ];
    assert_eq!(unknown, want);
    let requests = double.requests();
    assert_eq!(requests[1].uri, "/apis/example.com/v1/namespaces/default/jobs/a/status?");
    assert_eq!(requests[1].body["status"], json!({"done": true, "seen": 3}));
}

#[tokio::test]
async fn a_conflict_is_retried() {
    let double = Double::new()
        .answer(200, &stored("7"))
        .answer(409, &conflict())
        .answer(200, &stored("8"))
        .answer(200, &stored("9"));
    let mut runs = 0;
    let written = api(&double)
        .modify("a", &PostParams::default(), |job| {
            runs += 1;
            job.spec.size += 1;
        })
        .await
        .unwrap();
    assert_eq!((runs, written.outcome), (2, Outcome::Updated));
    assert_eq!(double.requests()[3].body["metadata"]["resourceVersion"], "8");
}

#[tokio::test]
async fn retries_of_conflicts_are_limited() {
    let mut double = Double::new();
    for _ in 0..MAX_ATTEMPTS {
        double = double.answer(200, &stored("7")).answer(409, &conflict());
    }
    let change = |job: &mut Job| job.spec.size += 1;
    let error = api(&double).modify("a", &PostParams::default(), change).await;
    assert!(error.expect_err("an error").is_conflict());
    assert_eq!(double.requests().len(), 2 * MAX_ATTEMPTS as usize);
}

fn new() -> Job {
    Job::new("a", JobSpec { size: 0, steps: Vec::new(), ports: Vec::new() })
}

#[tokio::test]
async fn create_or_update_creates_or_updates() {
    let double = Double::new().answer(404, &missing()).answer(201, &stored("1"));
    let change = |job: &mut Job| job.spec.size = 5;
    let params = PostParams::default();
    let written = api(&double).create_or_update(&params, &new(), change).await.unwrap();
    assert_eq!(written.outcome, Outcome::Created);
    assert_eq!(double.requests()[1].body["spec"], json!({"size": 5}));

    let double = Double::new().answer(200, &stored("7")).answer(200, &stored("8"));
    let written = api(&double).create_or_update(&params, &new(), change).await.unwrap();
    assert_eq!(written.outcome, Outcome::Updated);
    assert_eq!(double.requests()[1].body["spec"]["note"], "of a newer version");

    // Another client creates the object between the two calls.
    let double = Double::new()
        .answer(404, &missing())
        .answer(409, &exists())
        .answer(200, &stored("7"))
        .answer(200, &stored("8"));
    let written = api(&double).create_or_update(&params, &new(), change).await.unwrap();
    assert_eq!(written.outcome, Outcome::Updated);
    assert_eq!(double.requests().len(), 4);
}

#[tokio::test]
async fn attempts_of_create_or_update_are_limited() {
    let mut double = Double::new();
    for _ in 0..MAX_ATTEMPTS {
        double = double.answer(404, &missing()).answer(409, &exists());
    }
    let written = api(&double).create_or_update(&PostParams::default(), &new(), |_| ()).await;
    assert!(written.expect_err("an error").is_already_exists());
    assert_eq!(double.requests().len(), 2 * MAX_ATTEMPTS as usize);
}
