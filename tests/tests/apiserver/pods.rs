//! The deletion of pods, which have a grace period.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crd_apiserver::{AdmissionResponse, ApiServer};
use serde_json::{Value, json};

use crate::ask::{delete, get, patch, send};

const PODS: &str = "/api/v1/namespaces/default/pods";

fn pod(name: &str, node: Option<&str>) -> Value {
    json!({"metadata": {"name": name}, "spec": {
        "nodeName": node, "containers": [{"name": "c", "image": "1"}],
    }})
}

#[tokio::test]
async fn pods_on_nodes_have_a_grace_period() {
    let seconds = Arc::new(AtomicU64::new(1_000_000_000));
    let read = Arc::clone(&seconds);
    let now = move || SystemTime::UNIX_EPOCH + Duration::from_secs(read.load(Ordering::Relaxed));
    let client = ApiServer::builder().clock(now).start().client();
    let make = async |name: &str, node: Option<&str>| {
        let pod = send(&client, "POST", PODS, &pod(name, node)).await.ok();
        assert_eq!(pod["spec"]["terminationGracePeriodSeconds"], 30);
        format!("{PODS}/{name}")
    };
    let times = |pod: &Value| {
        let metadata = &pod["metadata"];
        let until = metadata["deletionTimestamp"].as_str().unwrap_or_default().to_owned();
        (until, metadata["deletionGracePeriodSeconds"].as_i64())
    };
    // Without a node, nothing has to be stopped.
    let path = make("unscheduled", None).await;
    assert_eq!(delete(&client, &path).await.ok()["kind"], "Pod");
    assert_eq!(get(&client, &path).await.code, 404);

    let path = make("scheduled", Some("n")).await;
    let going = delete(&client, &path).await.ok();
    assert_eq!(times(&going), ("2001-09-09T01:47:10Z".to_owned(), Some(30)));
    assert_eq!(get(&client, &path).await.ok(), going);
    // A later request can only shorten the period, which still begins with the first request.
    seconds.fetch_add(2, Ordering::Relaxed);
    for options in ["", "?gracePeriodSeconds=30", "?gracePeriodSeconds=60"] {
        assert_eq!(delete(&client, &format!("{path}{options}")).await.ok(), going, "{options}");
    }
    let going = delete(&client, &format!("{path}?gracePeriodSeconds=10")).await.ok();
    assert_eq!(times(&going), ("2001-09-09T01:46:50Z".to_owned(), Some(10)));
    let going = delete(&client, &format!("{path}?gracePeriodSeconds=1")).await.ok();
    assert_eq!(times(&going), ("2001-09-09T01:46:42Z".to_owned(), Some(1)));
    delete(&client, &format!("{path}?gracePeriodSeconds=0")).await.ok();
    assert_eq!(get(&client, &path).await.code, 404);

    // A pod that has ended goes at once, but not if a grace period has begun before.
    let succeeded = json!({"status": {"phase": "Succeeded"}});
    let path = make("ended", Some("n")).await;
    patch(&client, &format!("{path}/status"), "merge", &succeeded).await.ok();
    delete(&client, &path).await.ok();
    assert_eq!(get(&client, &path).await.code, 404);
    let path = make("ending", Some("n")).await;
    delete(&client, &path).await.ok();
    patch(&client, &format!("{path}/status"), "merge", &succeeded).await.ok();
    delete(&client, &path).await.ok();
    assert_eq!(get(&client, &path).await.ok()["metadata"]["deletionGracePeriodSeconds"], 30);
}

/// A server whose validating webhook `pods.example.com` is called for deletions of pods. `hook` gets the requests.
fn with_webhook(hook: impl Fn(&Value) + Send + Sync + 'static) -> ApiServer {
    let rule = json!({
        "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["DELETE"],
    });
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "pods"},
        "webhooks": [{
            "name": "pods.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"url": "https://pods.example.com/"}, "rules": [rule],
        }],
    });
    ApiServer::builder()
        .with_object(&configuration)
        .admission("pods.example.com", move |request| {
            hook(request);
            AdmissionResponse::allow()
        })
        .start()
}

#[tokio::test(start_paused = true)]
async fn a_pod_is_marked_before_it_is_removed() {
    let client = ApiServer::new().client();
    let version = |object: &Value| -> u64 {
        let version = object["metadata"]["resourceVersion"].as_str().expect("a version");
        version.parse().expect("a number")
    };
    let made = send(&client, "POST", PODS, &pod("a", None)).await.ok();
    let begin = version(&made);
    // Also if the request has a precondition on the version, which the mark changes.
    let options = json!({"preconditions": {"resourceVersion": begin.to_string()}});
    let gone = send(&client, "DELETE", &format!("{PODS}/a"), &options).await.ok();
    assert_eq!(gone["metadata"]["deletionGracePeriodSeconds"], 0);
    let path = format!("{PODS}?watch=true&timeoutSeconds=1&resourceVersion={begin}");
    let events = get(&client, &path).await.ok();
    let events: Vec<Value> = events
        .as_str()
        .expect("lines")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event"))
        .collect();
    let seen: Vec<_> = events
        .iter()
        .map(|event| {
            let is_marked = event["object"]["metadata"]["deletionTimestamp"].is_string();
            (
                event["type"].as_str().unwrap_or_default(),
                version(&event["object"]) - begin,
                is_marked,
            )
        })
        .collect();
    assert_eq!(seen, [("MODIFIED", 1, true), ("DELETED", 2, true)]);

    let options = json!({"dryRun": ["All"]});
    send(&client, "POST", PODS, &pod("b", None)).await.ok();
    let marked = send(&client, "DELETE", &format!("{PODS}/b"), &options).await.ok();
    assert!(marked["metadata"]["deletionTimestamp"].is_string(), "{marked}");
    assert_eq!(
        get(&client, &format!("{PODS}/b")).await.ok()["metadata"]["deletionTimestamp"],
        Value::Null
    );
}

#[tokio::test]
async fn webhooks_see_the_grace_period_once() {
    let calls = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&calls);
    let client = with_webhook(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        let want = if request["name"] == "scheduled" { 30 } else { 0 };
        assert_eq!(request["options"]["gracePeriodSeconds"], want, "{request}");
    })
    .client();
    send(&client, "POST", PODS, &pod("unscheduled", None)).await.ok();
    delete(&client, &format!("{PODS}/unscheduled")).await.ok();
    assert!(calls.load(Ordering::Relaxed) > 0);

    send(&client, "POST", PODS, &pod("scheduled", Some("n"))).await.ok();
    let path = format!("{PODS}/scheduled");
    let going = delete(&client, &path).await.ok();
    let before = calls.load(Ordering::Relaxed);
    // While the period is running, a request changes no finalizers and calls no webhook.
    assert_eq!(delete(&client, &format!("{path}?propagationPolicy=Foreground")).await.ok(), going);
    delete(&client, PODS).await.ok();
    assert_eq!(get(&client, &path).await.ok(), going);
    assert_eq!(calls.load(Ordering::Relaxed), before);
}
