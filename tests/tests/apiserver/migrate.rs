//! Storage migration against a double of the server, with the faults that a real one rarely shows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crd_runtime::migrate::{Checkpoint, Error, Migration, Progress, Summary};
use http::{Method, Request, Response, StatusCode};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

const CRD: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/jobs.example.com";
const LIST: &str = "/apis/example.com/v2/jobs";

/// A request: the method, the path, and the continue token of a list.
type ReceivedRequest = (Method, String, Option<String>);
/// Called for each request: `Some` is sent instead of the server's own answer. It may also change the server.
type Fault = Box<dyn FnMut(&ReceivedRequest, &mut Server) -> Option<(u16, Value)> + Send>;

/// What the server stores.
#[derive(Default)]
struct Server {
    storage_version: String,
    stored_versions: Vec<String>,
    generation: i64,
    resource_version: u64,
    /// The version that each object is stored in.
    objects: BTreeMap<String, String>,
    /// Lists, patches and reads that arrived.
    received: Vec<ReceivedRequest>,
}

#[derive(Clone)]
struct Double(Arc<Mutex<(Server, Fault)>>);

fn failure(code: u16, message: &str) -> (u16, Value) {
    let status = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": "", "code": code});
    (code, status)
}

impl Double {
    fn new(
        objects: usize,
        fault: impl FnMut(&ReceivedRequest, &mut Server) -> Option<(u16, Value)> + Send + 'static,
    ) -> Self {
        let objects = (0..objects).map(|n| (format!("j{n}"), "v1".to_owned())).collect();
        let server = Server {
            storage_version: "v2".to_owned(),
            stored_versions: vec!["v1".to_owned(), "v2".to_owned()],
            generation: 1,
            resource_version: 1,
            objects,
            received: Vec::new(),
        };
        Self(Arc::new(Mutex::new((server, Box::new(fault)))))
    }

    fn client(&self) -> Client {
        let double = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let double = double.clone();
            async move {
                let (head, body) = request.into_parts();
                let body = body.collect_bytes().await?;
                let token = head
                    .uri
                    .query()
                    .unwrap_or_default()
                    .split('&')
                    .find_map(|pair| pair.strip_prefix("continue=").map(str::to_owned));
                let received = (head.method, head.uri.path().to_owned(), token);
                let (code, answer) = double.answer(&received, &body);
                if code == 0 {
                    return Err("the connection broke".into());
                }
                let status = StatusCode::from_u16(code)?;
                let answer = Response::builder()
                    .status(status)
                    .body(Body::from(answer.to_string().into_bytes()))?;
                Ok::<_, tower::BoxError>(answer)
            }
        });
        Client::new(service, "default")
    }

    fn answer(&self, received: &ReceivedRequest, body: &[u8]) -> (u16, Value) {
        let (server, fault) = &mut *self.0.lock().expect("one at a time");
        server.received.push(received.clone());
        if let Some(answer) = fault(received, server) {
            return answer;
        }
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        match (received.0.as_str(), received.1.as_str()) {
            ("GET", CRD) => (200, server.definition()),
            ("PATCH", path) if path == format!("{CRD}/status") => {
                let version = server.resource_version.to_string();
                if body["metadata"]["resourceVersion"] != version {
                    return failure(409, "the object has been modified");
                }
                server.stored_versions =
                    serde_json::from_value(body["status"]["storedVersions"].clone())
                        .expect("versions");
                server.resource_version += 1;
                (200, server.definition())
            }
            ("GET", LIST) => (200, server.list(received.2.as_deref())),
            ("PATCH", path) => {
                assert_eq!(body, json!({}), "an object is not changed");
                let name =
                    path.strip_prefix("/apis/example.com/v2/namespaces/default/jobs/").expect(path);
                let storage_version = server.storage_version.clone();
                let Some(version) = server.objects.get_mut(name) else {
                    return failure(404, "not found");
                };
                *version = storage_version;
                (200, meta(name))
            }
            other => panic!("{other:?}"),
        }
    }

    fn see<T>(&self, look: impl FnOnce(&Server) -> T) -> T {
        look(&self.0.lock().expect("one at a time").0)
    }

    /// Returns the continue token of each list request.
    fn tokens(&self) -> Vec<Option<String>> {
        self.see(|server| {
            let lists = server.received.iter().filter(|received| received.1 == LIST);
            lists.map(|received| received.2.clone()).collect()
        })
    }

    /// Asserts that all objects are stored in the storage version, and that the status names only this version.
    #[track_caller]
    fn assert_migrated(&self) {
        self.see(|server| {
            assert!(server.objects.values().all(|version| version == "v2"), "{:?}", server.objects);
            assert_eq!(server.stored_versions, ["v2"]);
        });
    }

    /// Asserts that the status still names the earlier version.
    #[track_caller]
    fn assert_not_migrated(&self) {
        self.see(|server| assert_eq!(server.stored_versions, ["v1", "v2"]));
    }
}

fn meta(name: &str) -> Value {
    json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
        "metadata": {"name": name, "namespace": "default"}})
}

impl Server {
    fn definition(&self) -> Value {
        let version = |name: &str| json!({"name": name, "served": true, "storage": self.storage_version == name});
        crd_fixtures::crd("example.com", "Job")
            .set("/metadata/uid", "1")
            .set("/metadata/generation", self.generation)
            .set("/metadata/resourceVersion", self.resource_version.to_string())
            .set("/spec/versions", [version("v1"), version("v2")])
            .set("/status", json!({"storedVersions": self.stored_versions}))
            .json()
    }

    /// Returns a page of two objects. The token is the number of objects before it.
    fn list(&self, token: Option<&str>) -> Value {
        let start: usize = token.map_or(0, |token| token.parse().expect("a token of ours"));
        let items: Vec<Value> =
            self.objects.keys().skip(start).take(2).map(|name| meta(name)).collect();
        let left = self.objects.len().saturating_sub(start + 2);
        let metadata = if left > 0 {
            json!({"continue": (start + 2).to_string(), "remainingItemCount": left})
        } else {
            json!({})
        };
        json!({"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
            "metadata": metadata, "items": items})
    }
}

async fn run(double: &Double) -> Result<Summary, Error> {
    Migration::new(double.client(), "jobs.example.com").page(2).run(|_| {}).await
}

#[tokio::test(start_paused = true)]
async fn every_object_is_rewritten_and_the_old_version_dropped() {
    let double = Double::new(5, |_, _| None);
    let mut lines = Vec::new();
    let migration = Migration::new(double.client(), "jobs.example.com").page(2);
    let done = migration.run(|progress| lines.push(progress.to_string())).await.expect("done");
    assert_eq!(lines, ["2 rewritten, about 3 left", "4 rewritten, about 1 left", "5 rewritten"]);
    assert_eq!(done.dropped, ["v1"]);
    assert_eq!(done.to_string(), "stored in v2: 5 rewritten; no longer stored: v1");
    double.assert_migrated();

    let again = run(&double).await.expect("done");
    assert_eq!(again.to_string(), "all objects were stored in v2 already");
    assert_eq!(double.tokens().len(), 3, "nothing is listed again");
}

#[tokio::test(start_paused = true)]
async fn an_expired_list_continues_with_the_offered_token() {
    let mut once = Some(());
    let double = Double::new(5, move |received, _| {
        (received.2.as_deref() == Some("2")).then(|| once.take())??;
        let (code, mut status) = failure(410, "the continue token is too old");
        status["metadata"]["continue"] = "2".into();
        Some((code, status))
    });
    let done = run(&double).await.expect("done");
    assert_eq!((done.progress.rewritten, done.progress.restarts), (5, 0));
    assert_eq!(double.tokens().len(), 4);
    double.assert_migrated();
}

#[tokio::test(start_paused = true)]
async fn an_expired_list_without_a_token_begins_again() {
    let mut once = Some(());
    let double = Double::new(5, move |received, _| {
        (received.2.as_deref() == Some("4")).then(|| once.take())??;
        Some(failure(410, "too old"))
    });
    let done = run(&double).await.expect("done");
    assert_eq!(done.progress.restarts, 1);
    let tokens = double.tokens();
    let tokens: Vec<Option<&str>> = tokens.iter().map(Option::as_deref).collect();
    assert_eq!(tokens, [None, Some("2"), Some("4"), None, Some("2"), Some("4")]);
    double.assert_migrated();
}

#[tokio::test(start_paused = true)]
async fn a_list_that_always_expires_is_an_error() {
    let double =
        Double::new(5, |received, _| (received.1 == LIST).then(|| failure(410, "too old")));
    let error = run(&double).await.expect_err("ends");
    assert!(matches!(error, Error::Expired { .. }), "{error}");
    assert_eq!(double.tokens().len(), 4);
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn conflicts_are_tried_again() {
    let mut conflicts = 2;
    let double = Double::new(1, move |received, _| {
        if received.1.ends_with("/j0") && conflicts > 0 {
            conflicts -= 1;
            return Some(failure(409, "the object has been modified"));
        }
        None
    });
    assert_eq!(run(&double).await.expect("done").progress.rewritten, 1);
    double.assert_migrated();
}

#[tokio::test(start_paused = true)]
async fn a_definition_that_changes_is_read_again() {
    let mut once = Some(());
    let double = Double::new(1, move |received, server| {
        if received.1.ends_with("/status") && once.take().is_some() {
            server.resource_version += 1;
        }
        None
    });
    run(&double).await.expect("done");
    double.assert_migrated();
    let writes = |received: &&ReceivedRequest| received.1.ends_with("/status");
    assert_eq!(double.see(|server| server.received.iter().filter(writes).count()), 2);
}

#[tokio::test(start_paused = true)]
async fn a_change_of_the_storage_version_ends_the_migration() {
    let double = Double::new(1, |received, server| {
        if received.1.ends_with("/j0") {
            server.storage_version = "v1".to_owned();
        }
        None
    });
    let error = run(&double).await.expect_err("ends").to_string();
    assert_eq!(
        error,
        "the storage version changed from v2 to v1 meanwhile: run it again from the start"
    );
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn deleted_objects_are_skipped() {
    let double = Double::new(2, |received, server| {
        if received.1.ends_with("/j0") {
            server.objects.remove("j0");
        }
        None
    });
    let done = run(&double).await.expect("done");
    assert_eq!(done.progress.to_string(), "1 rewritten, 1 gone");
    double.assert_migrated();
}

#[tokio::test(start_paused = true)]
async fn rejected_objects_are_named_and_keep_the_version() {
    let double = Double::new(5, |received, _| match &*received.1 {
        path if path.ends_with("/j1") => Some(failure(422, "Job \"j1\" is invalid: spec: bad")),
        path if path.ends_with("/j4") => Some(failure(500, "conversion webhook failed")),
        _ => None,
    });
    let mut last = None;
    let migration = Migration::new(double.client(), "jobs.example.com").page(2);
    let error =
        migration.run(|progress| last = Some(progress.clone())).await.expect_err("rejected");
    assert_eq!(
        error.to_string(),
        "3 rewritten, 2 rejected; correct these and run it again:\n  \
         default/j1: Job \"j1\" is invalid: spec: bad\n  default/j4: conversion webhook failed"
    );
    assert_eq!(last.expect("progress").checkpoint, None);
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn a_migration_continues_from_a_checkpoint() {
    let mut broken = true;
    let double = Double::new(5, move |received, _| {
        let breaks = broken && received.1.ends_with("/j3");
        broken &= !breaks;
        breaks.then_some((0, Value::Null))
    });
    let error = run(&double).await.expect_err("breaks");
    let Error::Request { request, progress, .. } = &error else { panic!("{error}") };
    assert_eq!(request, "patch jobs.example.com default/j3");
    assert!(
        error
            .to_string()
            .ends_with("(so far: 3 rewritten, about 3 left); run it again from the checkpoint"),
        "{error}"
    );
    double.assert_not_migrated();

    // Programs keep checkpoints as JSON.
    let text = serde_json::to_string(&progress.checkpoint).expect("JSON");
    assert_eq!(
        text,
        r#"{"uid":"1","generation":1,"storageVersion":"v2","storedVersions":["v1","v2"],"continueToken":"2"}"#
    );
    let checkpoint: Checkpoint = serde_json::from_str(&text).expect("a checkpoint");
    let migration =
        Migration::new(double.client(), "jobs.example.com").page(2).resume_from(checkpoint);
    let done = migration.run(|_| {}).await.expect("done");
    assert_eq!(done.progress.rewritten, 3);
    double.assert_migrated();
    assert_eq!(double.tokens()[2].as_deref(), Some("2"));
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_of_another_definition_is_ignored() {
    let checkpoint = json!({"uid": "1", "generation": 1, "storageVersion": "v2",
        "storedVersions": ["v1", "v2"], "continueToken": "2"});
    for (field, other, rewritten) in [
        ("uid", json!("1"), 1),
        ("uid", json!("2"), 3),
        ("generation", json!(0), 3),
        ("storageVersion", json!("v1"), 3),
        ("storedVersions", json!(["v1"]), 3),
    ] {
        let double = Double::new(3, |_, _| None);
        let mut checkpoint = checkpoint.clone();
        checkpoint[field] = other;
        let checkpoint: Checkpoint = serde_json::from_value(checkpoint).expect("a checkpoint");
        let migration = Migration::new(double.client(), "jobs.example.com").resume_from(checkpoint);
        let done = migration.run(|_: &Progress| {}).await.expect("done");
        assert_eq!(done.progress.rewritten, rewritten, "{field}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_definition_restarts_the_migration() {
    let mut once = Some(());
    let double = Double::new(3, move |received, server| {
        if received.1.ends_with("/j1") && once.take().is_some() {
            server.generation += 2;
        }
        None
    });
    let done = run(&double).await.expect("done");
    assert_eq!(done.progress.to_string(), "3 rewritten, started again once");
    double.assert_migrated();

    let double = Double::new(3, |received, server| {
        server.generation += i64::from(received.1.ends_with("/j1"));
        None
    });
    let error = run(&double).await.expect_err("ends").to_string();
    assert!(error.starts_with("jobs.example.com: it changed again and again"), "{error}");
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn retries_for_a_busy_server_are_limited() {
    let mut busy = 3;
    let double = Double::new(1, move |received, _| {
        if received.1 == LIST && busy > 0 {
            busy -= 1;
            let (code, mut status) = failure(429, "slow down");
            status["details"] = json!({"retryAfterSeconds": 7});
            return Some((code, status));
        }
        None
    });
    let before = tokio::time::Instant::now();
    run(&double).await.expect("done");
    assert!(before.elapsed().as_secs() >= 21, "waits as long as the server asks");
    double.assert_migrated();

    let double = Double::new(1, |received, _| (received.1 == LIST).then(|| failure(503, "down")));
    let error = run(&double).await.expect_err("ends").to_string();
    assert_eq!(error, "list jobs.example.com: down (so far: 0 rewritten)");
    assert_eq!(double.tokens().len(), 6);
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn a_rejection_of_the_caller_ends_the_migration_at_once() {
    for code in [401, 403] {
        let double = Double::new(2, move |received, _| {
            (received.0 == Method::PATCH).then(|| failure(code, "not you"))
        });
        let error = run(&double).await.expect_err("ends").to_string();
        assert_eq!(error, "patch jobs.example.com default/j0: not you (so far: 0 rewritten)");
        double.assert_not_migrated();
    }
}

/// The number of times that the status of the definition was written.
fn status_writes(double: &Double) -> usize {
    let writes = |received: &&ReceivedRequest| received.1.ends_with("/status");
    double.see(|server| server.received.iter().filter(writes).count())
}

/// A double of one object, whose definition changes the first `times` times that the object is written.
fn changing(mut times: u32, change: impl Fn(&mut Server) + Send + 'static) -> Double {
    Double::new(1, move |received, server| {
        if received.1.ends_with("/j0") && times > 0 {
            times -= 1;
            change(server);
        }
        None
    })
}

#[tokio::test]
async fn a_migration_shows_its_definition() {
    let migration = Migration::new(Double::new(0, |_, _| None).client(), "jobs.example.com");
    assert!(format!("{migration:?}").contains("jobs.example.com"), "{migration:?}");
}

#[tokio::test(start_paused = true)]
async fn a_definition_may_change_three_times() {
    for times in 0..=3 {
        let double = changing(times, |server| server.generation += 1);
        assert_eq!(run(&double).await.expect("done").progress.restarts, times);
        assert_eq!(status_writes(&double), 1);
        double.assert_migrated();
    }
    let double = changing(u32::MAX, |server| server.generation += 1);
    let error = run(&double).await.expect_err("ends").to_string();
    assert!(error.contains("it changed again and again"), "{error}");
    assert_eq!(double.tokens().len(), 4);
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn another_migration_may_finish_first() {
    let double = changing(1, |server| {
        server.generation += 1;
        server.stored_versions.remove(0);
    });
    let done = run(&double).await.expect("done");
    assert_eq!((done.progress.restarts, done.dropped.len()), (1, 0));
    assert_eq!(status_writes(&double), 0);
}

#[tokio::test(start_paused = true)]
async fn conflicts_of_the_definition_are_tried_again_but_not_forever() {
    let conflict = |received: &ReceivedRequest, _: &mut Server| {
        received.1.ends_with("/status").then(|| failure(409, "the object has been modified"))
    };
    let double = Double::new(1, conflict);
    let error = run(&double).await.expect_err("ends").to_string();
    assert!(error.contains("the object has been modified"), "{error}");
    assert_eq!(status_writes(&double), 6);
    double.assert_not_migrated();
}

#[tokio::test(start_paused = true)]
async fn other_failures_of_the_status_write_end_the_migration() {
    let double = Double::new(1, |received, _| {
        received.1.ends_with("/status").then(|| failure(403, "may not"))
    });
    let error = run(&double).await.expect_err("ends").to_string();
    assert!(error.contains("may not"), "{error}");
    assert_eq!(status_writes(&double), 1);
}

#[tokio::test(start_paused = true)]
async fn the_first_hundred_rejected_objects_are_listed() {
    let double = Double::new(101, |received, _| {
        (received.0 == Method::PATCH).then(|| failure(422, "spec: bad"))
    });
    let error = run(&double).await.expect_err("rejected");
    let Error::Rejected { objects, progress } = error else { panic!("{error}") };
    assert_eq!((objects.len(), progress.rejected), (100, 101));
}
