//! The cluster has admission webhooks for what the operator creates.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crd_apiserver::AdmissionResponse;
use k8s_openapi::api::apps::v1::Deployment;
use serde_json::{Value, json};
use website_operator::recording::{builder, ready, website};

use crate::{Outcome, operate};

/// Returns the configuration of a webhook for Deployments.
fn configuration(kind: &str) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
        "metadata": {"name": "policy"},
        "webhooks": [{
            "name": "policy.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"service": {"namespace": "default", "name": "policy"}},
            "rules": [{
                "operations": ["CREATE", "UPDATE"], "resources": ["deployments"],
                "apiGroups": ["apps"], "apiVersions": ["v1"],
            }],
        }],
    })
}

/// The operator does not own the field, so it neither removes it nor writes again and again.
#[tokio::test(start_paused = true)]
async fn what_a_webhook_adds_stays() -> Outcome {
    let add =
        json!([{"op": "add", "path": "/spec/template/spec/priorityClassName", "value": "low"}]);
    let server = builder()
        .with_workloads()
        .with_object(&website())
        .with_object(&configuration("MutatingWebhookConfiguration"))
        .admission("policy.example.com", move |_| AdmissionResponse::patch(add.clone()))
        .start();
    operate(&server, async {
        ready(server.client()).await?;
        let before = server.get::<Deployment>("default", "blog")?;
        let template = before.spec.template.spec.as_ref();
        assert_eq!(template.and_then(|it| it.priority_class_name.as_deref()), Some("low"));
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        assert_eq!(server.get::<Deployment>("default", "blog")?, before);
        Ok(())
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_denied_deployment_is_tried_again() -> Outcome {
    let is_open = Arc::new(AtomicBool::new(false));
    let opened = Arc::clone(&is_open);
    let server = builder()
        .with_workloads()
        .with_object(&website())
        .with_object(&configuration("ValidatingWebhookConfiguration"))
        .admission("policy.example.com", move |_| {
            if opened.load(Ordering::Relaxed) {
                AdmissionResponse::allow()
            } else {
                AdmissionResponse::deny("closed for the holidays")
            }
        })
        .start();
    let recording = server.record();
    operate(&server, async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let denied = recording.transcript();
        let mut messages = denied.exchanges().iter().map(|exchange| &exchange.answer["message"]);
        let text =
            "admission webhook \"policy.example.com\" denied the request: closed for the holidays";
        assert!(messages.any(|message| message == text), "{denied:#}");
        is_open.store(true, Ordering::Relaxed);
        Ok(ready(server.client()).await?)
    })
    .await
}
