//! Controllers that finish deletions: what they wait for, what they retry, and who waits for them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crd_apiserver::{AdmissionResponse, ApiServer};
use crd_examples::crontab::CronTab;
use crd_runtime::CustomResource as _;
use http::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crate::ask::{CRONTABS, delete, get, patch, send};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const SPACES: &str = "/api/v1/namespaces";

/// Returns a validating webhook that is called before the deletion of config maps.
fn before_deletions(timeout_seconds: u32) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "h"},
        "webhooks": [{
            "name": "h.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "timeoutSeconds": timeout_seconds,
            "clientConfig": {"service": {"namespace": "default", "name": "h"}},
            "rules": [{
                "operations": ["DELETE"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["configmaps"],
            }],
        }],
    })
}

async fn is_there(client: &Client, path: &str) -> bool {
    get(client, path).await.code == 200
}

/// Creates a config map `owner`, and a config map `child` that it owns.
async fn make_family(client: &Client) {
    let owner = send(client, "POST", MAPS, &json!({"metadata": {"name": "owner"}})).await.ok();
    let reference = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"],
    });
    let child = json!({"metadata": {"name": "child", "ownerReferences": [reference]}});
    send(client, "POST", MAPS, &child).await.ok();
}

async fn make_namespace(client: &Client, name: &str) {
    send(client, "POST", SPACES, &json!({"metadata": {"name": name}})).await.ok();
}

/// Answers an admission review.
fn allowed(review: &Value) -> Response<Body> {
    let answer = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "response": {"uid": review["request"]["uid"], "allowed": true},
    });
    Response::new(Body::from(answer.to_string().into_bytes()))
}

async fn review_of(request: Request<Body>) -> Value {
    let body = request.into_body().collect_bytes().await.expect("a body");
    serde_json::from_slice(&body).expect("a review")
}

fn pod_with_claim(name: &str, node: Option<&str>) -> Value {
    json!({
        "metadata": {"name": name},
        "spec": {
            "nodeName": node, "containers": [{"name": "c", "image": "i"}],
            "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "p"}}],
        },
    })
}

fn claim() -> Value {
    json!({
        "metadata": {"name": "p"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    })
}

#[tokio::test]
async fn a_claim_is_kept_while_a_scheduled_pod_uses_it() {
    let client = ApiServer::new().client();
    let claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    let pods = "/api/v1/namespaces/default/pods";
    send(&client, "POST", claims, &claim()).await.ok();
    send(&client, "POST", pods, &pod_with_claim("scheduled", Some("n"))).await.ok();
    send(&client, "POST", pods, &pod_with_claim("pending", None)).await.ok();
    let going = delete(&client, &format!("{claims}/p")).await.ok();
    assert_eq!(going["metadata"]["finalizers"], json!(["kubernetes.io/pvc-protection"]));
    assert!(is_there(&client, &format!("{claims}/p")).await);
    delete(&client, &format!("{pods}/scheduled?gracePeriodSeconds=0")).await.ok();
    assert!(!is_there(&client, &format!("{claims}/p")).await);
    let client = ApiServer::builder().without_controllers().start().client();
    send(&client, "POST", claims, &claim()).await.ok();
    delete(&client, &format!("{claims}/p")).await.ok();
    assert!(is_there(&client, &format!("{claims}/p")).await);
}

#[tokio::test]
async fn a_namespace_with_a_claim_ends() {
    let client = ApiServer::new().client();
    make_namespace(&client, "a").await;
    send(&client, "POST", &format!("{SPACES}/a/persistentvolumeclaims"), &claim()).await.ok();
    delete(&client, &format!("{SPACES}/a")).await.ok();
    assert!(!is_there(&client, &format!("{SPACES}/a")).await);
}

#[tokio::test]
async fn a_volume_is_kept_while_it_is_bound() {
    let client = ApiServer::new().client();
    let volumes = "/api/v1/persistentvolumes";
    let volume = json!({
        "metadata": {"name": "v"},
        "spec": {
            "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/data"},
        },
    });
    send(&client, "POST", volumes, &volume).await.ok();
    let phase = |phase: &str| json!({"status": {"phase": phase}});
    let status = format!("{volumes}/v/status");
    patch(&client, &status, "merge", &phase("Bound")).await.ok();
    delete(&client, &format!("{volumes}/v")).await.ok();
    assert!(is_there(&client, &format!("{volumes}/v")).await);
    patch(&client, &status, "merge", &phase("Released")).await.ok();
    assert!(!is_there(&client, &format!("{volumes}/v")).await);
}

/// The handler lists the requests that it gets, and makes one itself.
async fn delete_owner_with_a_webhook_that_is_a_client() {
    let calls = Arc::new(AtomicUsize::new(0));
    let server = ApiServer::builder();
    let (own, count) = (server.handle().client(), Arc::clone(&calls));
    let server = server.with_object(&before_deletions(2)).webhook(
        "h.default.svc",
        service_fn(move |request: Request<Body>| {
            let (own, count) = (own.clone(), Arc::clone(&count));
            async move {
                count.fetch_add(1, Ordering::Relaxed);
                let review = review_of(request).await;
                get(&own, &format!("{MAPS}/whatever")).await;
                Ok::<_, kube::Error>(allowed(&review))
            }
        }),
    );
    let client = server.start().client();
    make_family(&client).await;
    delete(&client, &format!("{MAPS}/owner")).await.ok();
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    assert!(!is_there(&client, &format!("{MAPS}/child")).await);
}

#[tokio::test]
async fn a_webhook_may_be_a_client_while_garbage_is_collected() {
    delete_owner_with_a_webhook_that_is_a_client().await;
}

#[tokio::test(start_paused = true)]
async fn a_webhook_may_be_a_client_while_garbage_is_collected_in_paused_time() {
    delete_owner_with_a_webhook_that_is_a_client().await;
}

#[tokio::test]
async fn contents_go_before_their_namespace_whatever_the_policy() {
    let client = ApiServer::new().client();
    for policy in ["Foreground", "Orphan", "Background"] {
        make_namespace(&client, "f").await;
        let held = json!({"metadata": {"name": "left", "finalizers": ["example.com/x"]}});
        let left = format!("{SPACES}/f/configmaps/left");
        send(&client, "POST", &format!("{SPACES}/f/configmaps"), &held).await.ok();
        delete(&client, &format!("{SPACES}/f?propagationPolicy={policy}")).await.ok();
        assert!(is_there(&client, &format!("{SPACES}/f")).await, "{policy}");
        assert!(get(&client, &left).await.ok()["metadata"]["deletionTimestamp"].is_string());
        let free = json!({"metadata": {"finalizers": null}});
        patch(&client, &left, "merge", &free).await.ok();
        assert!(!is_there(&client, &left).await, "{policy}");
        assert!(!is_there(&client, &format!("{SPACES}/f")).await, "{policy}");
    }
}

#[tokio::test]
async fn a_pod_that_orphans_keeps_its_grace_period() {
    let client = ApiServer::new().client();
    let pods = "/api/v1/namespaces/default/pods";
    let pod = json!({
        "metadata": {"name": "b"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]},
    });
    send(&client, "POST", pods, &pod).await.ok();
    delete(&client, &format!("{pods}/b?propagationPolicy=Orphan")).await.ok();
    let pod = get(&client, &format!("{pods}/b")).await.ok();
    assert_eq!(pod["metadata"]["deletionGracePeriodSeconds"], 30);
    assert_eq!(pod["metadata"].get("finalizers"), None);
}

#[tokio::test]
async fn jobs_orphan_their_pods_by_default() {
    let client = ApiServer::new().client();
    let jobs = "/apis/batch/v1/namespaces/default/jobs";
    let make = async |name: &str| {
        let job = json!({
            "metadata": {"name": name},
            "spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
            }}},
        });
        let job = send(&client, "POST", jobs, &job).await.ok();
        let owner = json!({
            "apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": job["metadata"]["uid"],
        });
        let map = json!({"metadata": {"name": name, "ownerReferences": [owner]}});
        send(&client, "POST", MAPS, &map).await.ok();
    };
    make("j").await;
    let deleted = delete(&client, &format!("{jobs}/j")).await;
    assert_eq!(
        deleted.warnings,
        [
            "299 - \"child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove \
          them or set propagationPolicy=Orphan to suppress this warning\""
        ]
    );
    assert_eq!(deleted.ok()["metadata"]["finalizers"], json!(["orphan"]));
    assert!(!is_there(&client, &format!("{jobs}/j")).await);
    let left = get(&client, &format!("{MAPS}/j")).await.ok();
    assert_eq!(left["metadata"].get("ownerReferences"), None);
    make("k").await;
    let deleted = delete(&client, &format!("{jobs}/k?propagationPolicy=Background")).await;
    assert!(deleted.warnings.is_empty());
    assert!(!is_there(&client, &format!("{MAPS}/k")).await);
}

#[tokio::test(start_paused = true)]
async fn a_dependent_whose_deletion_was_denied_is_deleted_later() {
    let calls = AtomicUsize::new(0);
    let server = ApiServer::builder()
        .with_object(&before_deletions(10))
        .admission("h.example.com", move |request| {
            if request["name"] == "child" && calls.fetch_add(1, Ordering::Relaxed) < 3 {
                return AdmissionResponse::deny("later");
            }
            AdmissionResponse::allow()
        })
        .start();
    let client = server.client();
    make_family(&client).await;
    delete(&client, &format!("{MAPS}/owner")).await.ok();
    assert!(is_there(&client, &format!("{MAPS}/child")).await);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!is_there(&client, &format!("{MAPS}/child")).await);
}

#[tokio::test]
async fn requests_of_others_do_not_repeat_reviews() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let server = ApiServer::builder()
        .with_object(&before_deletions(10))
        .admission("h.example.com", move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            AdmissionResponse::allow()
        })
        .start();
    let client = server.client();
    make_namespace(&client, "t").await;
    let held = json!({"metadata": {"name": "x", "finalizers": ["example.com/f"]}});
    send(&client, "POST", &format!("{SPACES}/t/configmaps"), &held).await.ok();
    delete(&client, &format!("{SPACES}/t")).await.ok();
    for _ in 0..20 {
        get(&client, "/version").await.ok();
    }
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn requests_of_others_do_not_wait_for_the_webhooks_of_controllers() {
    let names = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&names);
    let server = ApiServer::builder()
        .with_object(&before_deletions(10))
        .webhook(
            "h.default.svc",
            service_fn(move |request: Request<Body>| {
                let seen = Arc::clone(&seen);
                async move {
                    let review = review_of(request).await;
                    seen.lock().expect("names").push(review["request"]["name"].clone());
                    if review["request"]["name"] == "child" {
                        tokio::time::sleep(Duration::from_secs(5)).await;
                    }
                    Ok::<_, kube::Error>(allowed(&review))
                }
            }),
        )
        .start();
    let client = server.client();
    make_family(&client).await;
    let deleting = {
        let client = client.clone();
        tokio::spawn(async move { delete(&client, &format!("{MAPS}/owner")).await.ok() })
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    let begin = tokio::time::Instant::now();
    assert!(!is_there(&client, &format!("{MAPS}/owner")).await);
    assert_eq!(begin.elapsed(), Duration::ZERO);
    deleting.await.expect("deleted");
    assert!(!is_there(&client, &format!("{MAPS}/child")).await);
    assert_eq!(*names.lock().expect("names"), ["owner", "child"]);
}

#[tokio::test]
async fn a_namespace_is_finalized_by_its_subresource() {
    let client = ApiServer::new().client();
    let space = json!({
        "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fin"},
        "spec": {"finalizers": ["example.com/x"]},
    });
    send(&client, "POST", SPACES, &space).await.ok();
    delete(&client, &format!("{SPACES}/fin")).await.ok();
    assert!(is_there(&client, &format!("{SPACES}/fin")).await);
    let finalize = format!("{SPACES}/fin/finalize");
    let mut next = space.clone();
    next["metadata"]["labels"] = json!({"l": "1"});
    next["spec"]["finalizers"] = json!(["example.com/x", "example.com/y"]);
    let changed = send(&client, "PUT", &finalize, &next).await.ok();
    assert_eq!(changed["spec"]["finalizers"], json!(["example.com/x", "example.com/y"]));
    assert_eq!(changed["metadata"]["labels"]["l"], "1");
    next["spec"]["finalizers"] = json!([]);
    send(&client, "PUT", &finalize, &next).await.ok();
    assert!(!is_there(&client, &format!("{SPACES}/fin")).await);
    let finalize = format!("{SPACES}/default/finalize");
    assert_eq!(get(&client, &finalize).await.code, 405);
    assert_eq!(patch(&client, &finalize, "merge", &json!({})).await.code, 405);
}

#[tokio::test]
async fn updates_by_controllers_are_tracked() {
    let client = ApiServer::new().client();
    let make = async |name: &str, owners: &[&Value]| {
        let owners: Vec<Value> = owners
            .iter()
            .map(|owner| {
                let owner = &owner["metadata"];
                json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owner["name"], "uid": owner["uid"]})
            })
            .collect();
        let map = json!({"metadata": {"name": name, "ownerReferences": owners}});
        send(&client, "POST", MAPS, &map).await.ok()
    };
    let (a, b) = (make("a", &[]).await, make("b", &[]).await);
    make("c", &[&a, &b]).await;
    delete(&client, &format!("{MAPS}/a")).await.ok();
    let c = get(&client, &format!("{MAPS}/c")).await.ok();
    let fields = c["metadata"]["managedFields"].to_string();
    assert!(!fields.contains(a["metadata"]["uid"].as_str().expect("a uid")), "{fields}");
    assert!(fields.contains(b["metadata"]["uid"].as_str().expect("a uid")), "{fields}");
}

#[tokio::test]
async fn a_bound_pod_ends_when_its_kubelet_says_so() {
    let pods = "/api/v1/namespaces/default/pods";
    let pod = json!({
        "metadata": {"name": "b"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]},
    });
    let server = ApiServer::new();
    let client = server.client();
    assert_eq!(
        server.workloads().pod_terminated("default", "b").map_err(|error| error.code),
        Err(404)
    );
    send(&client, "POST", pods, &pod).await.ok();
    assert_eq!(
        server.workloads().pod_terminated("default", "b").map_err(|error| error.code),
        Err(409)
    );
    delete(&client, &format!("{pods}/b")).await.ok();
    assert!(is_there(&client, &format!("{pods}/b")).await);
    server.workloads().pod_terminated("default", "b").expect("terminated");
    assert!(!is_there(&client, &format!("{pods}/b")).await);
    let client = ApiServer::builder().with_workloads().start().client();
    make_namespace(&client, "bp").await;
    send(&client, "POST", &format!("{SPACES}/bp/pods"), &pod).await.ok();
    delete(&client, &format!("{SPACES}/bp")).await.ok();
    assert!(!is_there(&client, &format!("{SPACES}/bp")).await);
}

/// The objects of a definition are removed before the definition, and what they own after them.
#[tokio::test]
async fn dependents_of_custom_resources_go_with_the_definition() {
    let client = crate::ask::server().client();
    let owner = send(&client, "POST", CRONTABS, &crate::ask::object("a", 2)).await.ok();
    let reference = json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab", "name": "a", "uid": owner["metadata"]["uid"],
    });
    let map = json!({"metadata": {"name": "owned", "ownerReferences": [reference]}});
    send(&client, "POST", MAPS, &map).await.ok();
    let definition =
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";
    delete(&client, definition).await.ok();
    assert!(!is_there(&client, definition).await);
    assert!(!is_there(&client, &format!("{MAPS}/owned")).await);
}

#[tokio::test]
async fn manual_controllers_act_when_they_are_told_to() {
    let server = ApiServer::builder().with_workloads().with_manual_controllers().start();
    let client = server.client();
    make_namespace(&client, "a").await;
    let deployments = "/apis/apps/v1/namespaces/a/deployments";
    let spec = json!({
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    });
    let deployment = json!({"metadata": {"name": "d"}, "spec": spec});
    send(&client, "POST", deployments, &deployment).await.ok();
    let path = format!("{deployments}/d");
    let ready = async || get(&client, &path).await.ok()["status"]["readyReplicas"].clone();
    assert!(ready().await.is_null());
    server.run_controllers().await;
    assert_eq!(ready().await, 1);

    delete(&client, &format!("{SPACES}/a")).await.ok();
    assert!(is_there(&client, &path).await);
    server.run_controllers().await;
    assert!(!is_there(&client, &format!("{SPACES}/a")).await);
    // Definitions are the work of the API server itself.
    let server = ApiServer::builder().with_manual_controllers().with(&CronTab::crd()).start();
    get(&server.client(), CRONTABS).await.ok();
}
