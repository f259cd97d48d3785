//! Code of a test that runs within the server: it may use the server itself, and it may panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use crd_apiserver::{AdmissionResponse, ApiServer};
use crd_runtime::convert::Converter;
use http::{Request, Response};
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crate::ask::{delete, get, send};

const JOBS: &str = "/apis/example.com/v1/namespaces/default/jobs";
const NEW_JOBS: &str = "/apis/example.com/v2/namespaces/default/jobs";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/jobs.example.com";

/// Returns a definition with the versions `v1` and `v2`, which a webhook converts; `stored` is the storage version.
fn definition(stored: &str) -> Value {
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    crd_fixtures::crd("example.com", "Job")
        .version("v1", &schema)
        .version("v2", &schema)
        .set("/spec/versions/0/storage", stored == "v1")
        .set("/spec/versions/1/storage", stored == "v2")
        .set(
            "/spec/conversion",
            json!({"strategy": "Webhook", "webhook": {
                "conversionReviewVersions": ["v1"],
                "clientConfig": {"service": {"namespace": "default", "name": "jobs"}},
            }}),
        )
        .json()
}

fn job() -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Job", "metadata": {"name": "a"}})
}

fn converter(step: impl Fn(Value) -> Value + Send + Sync + 'static) -> Converter {
    Converter::new("example.com", "Job")
        .without_annotation()
        .step("v1", "v2", move |job| Ok(step(job)))
        .step("v2", "v1", Ok)
}

#[tokio::test]
async fn a_converter_may_use_the_server() {
    let server = ApiServer::builder().with_object(&definition("v1"));
    let inner = server.handle();
    let server = server.converter(
        "example.com",
        "Job",
        converter(move |mut job| {
            job["count"] = inner.snapshot().objects().count().into();
            job
        }),
    );
    let client = server.with_object(&job()).start().client();
    let converted = get(&client, &format!("{NEW_JOBS}/a")).await.ok();
    assert!(converted["count"].as_u64() > Some(4), "{converted}");
}

#[tokio::test(start_paused = true)]
async fn the_server_remains_usable_after_a_converter_has_panicked() {
    let server = ApiServer::builder()
        .with_object(&definition("v1"))
        .converter("example.com", "Job", converter(|_| panic!("a bug of a test")))
        .with_object(&job())
        .start();
    let client = server.client();
    let rejected = get(&client, &format!("{NEW_JOBS}/a")).await.rejected(500);
    assert_eq!(
        rejected,
        "Internal error occurred: StorageError: corrupt object, Code: 7, Key: /example.com/jobs/default/a, \
         ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=9: conversion webhook for \
         example.com/v1, Kind=Job failed: example.com/v1, Kind=Job default/a: the conversion panicked: a bug of a test"
    );
    let mut seen = Vec::new();
    for name in ["a", "b"] {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let made = send(&client, "POST", MAPS, &json!({"metadata": {"name": name}})).await.ok();
        seen.push(made["metadata"]["creationTimestamp"].to_string());
        seen.push(made["metadata"]["uid"].to_string());
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(get(&client, &format!("{JOBS}/a")).await.code == 200);
}

#[tokio::test]
async fn a_webhook_that_panics_cannot_be_called() {
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "h"},
        "webhooks": [{
            "name": "h.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"service": {"namespace": "default", "name": "h"}},
            "rules": [{
                "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["*"], "resources": ["configmaps"],
            }],
        }],
    });
    let panics = AtomicBool::new(true);
    let server = ApiServer::builder()
        .with_object(&configuration)
        .admission("h.example.com", move |_| {
            assert!(!panics.swap(false, Ordering::Relaxed), "a bug of a test");
            AdmissionResponse::allow()
        })
        .start();
    let client = server.client();
    let map = json!({"metadata": {"name": "a"}});
    let rejected = send(&client, "POST", MAPS, &map).await.rejected(500);
    assert_eq!(
        rejected,
        "Internal error occurred: failed calling webhook \"h.example.com\": failed to call webhook: Post \
         \"https://h.default.svc:443/?timeout=10s\": EOF"
    );
    send(&client, "POST", MAPS, &map).await.ok();
}

#[tokio::test]
async fn a_clock_may_use_the_server() {
    let server = ApiServer::builder();
    let inner = server.handle();
    let busy = AtomicBool::new(false);
    let server = server.clock(move || {
        // The server reads its clock for each use, so the clock uses the server only once.
        if !busy.swap(true, Ordering::Relaxed) {
            assert!(inner.snapshot().objects().count() > 0);
            busy.store(false, Ordering::Relaxed);
        }
        SystemTime::UNIX_EPOCH + Duration::from_secs(86_400)
    });
    let map = json!({"metadata": {"name": "a"}});
    let made = send(&server.start().client(), "POST", MAPS, &map).await.ok();
    assert_eq!(made["metadata"]["creationTimestamp"], "1970-01-02T00:00:00Z");
}

#[tokio::test(start_paused = true)]
async fn a_definition_is_removed_once_its_conversion_webhook_is_back() {
    let works = Arc::new(AtomicBool::new(true));
    let calls = Arc::new(AtomicUsize::new(0));
    let (is_up, count) = (Arc::clone(&works), Arc::clone(&calls));
    let webhook = service_fn(move |request: Request<Body>| {
        let (is_up, count) = (Arc::clone(&is_up), Arc::clone(&count));
        async move {
            count.fetch_add(1, Ordering::Relaxed);
            let body = request.into_body().collect_bytes().await?;
            let review: Value = serde_json::from_slice(&body).map_err(kube::Error::SerdeError)?;
            let mut response = Response::new(Body::empty());
            if is_up.load(Ordering::Relaxed) {
                let mut objects = review["request"]["objects"].clone();
                for object in objects.as_array_mut().into_iter().flatten() {
                    object["apiVersion"] = review["request"]["desiredAPIVersion"].clone();
                }
                let review = json!({
                    "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
                    "response": {
                        "uid": review["request"]["uid"], "result": {"status": "Success"},
                        "convertedObjects": objects,
                    },
                });
                *response.body_mut() = Body::from(review.to_string().into_bytes());
            } else {
                *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
            }
            Ok::<_, kube::Error>(response)
        }
    });
    let server = ApiServer::builder()
        .with_object(&definition("v1"))
        .webhook("jobs.default.svc", webhook)
        .start();
    let client = server.client();
    send(&client, "POST", JOBS, &job()).await.ok();
    let mut next = get(&client, DEFINITION).await.ok();
    next["spec"] = definition("v2")["spec"].clone();
    send(&client, "PUT", DEFINITION, &next).await.ok();
    works.store(false, Ordering::Relaxed);
    delete(&client, DEFINITION).await.ok();
    let terminating = get(&client, DEFINITION).await.ok();
    let conditions = terminating["status"]["conditions"].as_array().expect("conditions").clone();
    let found = conditions.iter().find(|condition| condition["type"] == "Terminating");
    assert_eq!(found.expect("a condition")["reason"], "InstanceDeletionFailed");
    let before = calls.load(Ordering::Relaxed);
    for _ in 0..10 {
        get(&client, "/version").await.ok();
    }
    assert_eq!(calls.load(Ordering::Relaxed), before);
    works.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(get(&client, DEFINITION).await.code, 404);
}
