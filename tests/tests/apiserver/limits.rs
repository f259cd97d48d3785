//! Limits of the server: the size of stored objects, pages of lists, warnings and connections.

use crd_apiserver::{AdmissionResponse, ApiServer};
use crd_fixtures::crd;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, builder, delete, get, object, patch, send, server};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const EVENTS: &str = "/api/v1/namespaces/default/events";

/// Returns a server with a kind `B` that preserves unknown fields.
fn server_of_blobs() -> ApiServer {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    ApiServer::builder().with_object(&crd("example.com", "B").version("v1", any).json()).start()
}

const BLOBS: &str = "/apis/example.com/v1/namespaces/default/bs";

fn blob(name: &str, length: usize) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "B", "metadata": {"name": name},
        "d": "x".repeat(length),
    })
}

#[tokio::test]
async fn stored_objects_are_limited_in_size() {
    const TOO_LARGE: &str = "etcdserver: request is too large";
    let client = server_of_blobs().client();
    send(&client, "POST", BLOBS, &blob("a", 1_500_000)).await.ok();
    assert_eq!(send(&client, "POST", BLOBS, &blob("b", 1_600_000)).await.rejected(500), TOO_LARGE);
    let rejected = send(&client, "POST", BLOBS, &blob("b", 2_500_000)).await.rejected(500);
    let text =
        "rpc error: code = ResourceExhausted desc = trying to send message larger than max (";
    assert!(rejected.starts_with(text) && rejected.ends_with(" vs. 2097152)"), "{rejected}");
    // Each patch is small.
    let more = json!({"e": "y".repeat(100_000)});
    let path = format!("{BLOBS}/a");
    assert_eq!(patch(&client, &path, "merge", &more).await.rejected(500), TOO_LARGE);
    assert_eq!(get(&client, &path).await.ok().get("e"), None);
    // Config maps are stored as Protocol Buffers, in which line breaks are not escaped.
    let map = json!({"metadata": {"name": "a"}, "data": {"a": "\n".repeat(1_000_000)}});
    send(&client, "POST", MAPS, &map).await.ok();
}

/// Upstream tries once more without managed fields, which may be large.
#[tokio::test]
async fn an_object_that_fits_without_its_managed_fields_is_stored_without_them() {
    let client = server_of_blobs().client();
    let mut many = blob("a", 1_300_000);
    for at in 0..12_000 {
        many[format!("field{at}")] = 1.into();
    }
    let made = send(&client, "POST", BLOBS, &many).await.ok();
    assert_eq!(made["metadata"].get("managedFields"), None);
}

#[tokio::test]
async fn a_list_of_the_cache_has_one_page() {
    let client = server().client();
    for name in ["a", "b", "c"] {
        send(&client, "POST", MAPS, &json!({"metadata": {"name": name}})).await.ok();
        send(&client, "POST", CRONTABS, &object(name, 1)).await.ok();
        let event = json!({
            "metadata": {"name": name}, "involvedObject": {"namespace": "default"},
        });
        send(&client, "POST", EVENTS, &event).await.ok();
    }
    let count = async |path: &str, query: &str| {
        let list = get(&client, &format!("{path}?{query}")).await.ok();
        let is_last = list["metadata"]["continue"].as_str().unwrap_or_default().is_empty();
        (list["items"].as_array().map_or(0, Vec::len), is_last)
    };
    for path in [MAPS, CRONTABS] {
        assert_eq!(count(path, "limit=1&resourceVersion=0").await, (3, true));
        assert_eq!(count(path, "limit=1").await, (1, false));
    }
    // Events are not cached.
    assert_eq!(count(EVENTS, "limit=1&resourceVersion=0").await, (1, false));
}

#[tokio::test]
async fn warnings_are_shortened_as_upstream() {
    let warn = |warnings: Vec<String>| async move {
        let configuration = crate::admission::configuration("Validating", "warn", &Value::Null);
        let server = builder()
            .with_object(&configuration)
            .admission("warn.example.com", move |_| {
                warnings.iter().cloned().fold(AdmissionResponse::allow(), AdmissionResponse::warn)
            })
            .start();
        send(&server.client(), "POST", CRONTABS, &object("a", 1)).await.warnings
    };
    let long = "x".repeat(4_096);
    assert_eq!(warn(vec![long.clone()]).await, [format!("299 - \"{long}\"")]);
    let short = "x".repeat(256);
    let more = vec![long, "y".to_owned(), "y".to_owned()];
    assert_eq!(warn(more).await, [format!("299 - \"{short}\""), "299 - \"y\"".to_owned()]);
    let many = warn((0..40).map(|n| format!("{n:0>300}")).collect()).await;
    assert_eq!(many.len(), 16);
    // A warning that cannot be written in a header is dropped.
    let controls = vec!["a\nb".to_owned(), "c\u{7f}".to_owned(), "d \"\\".to_owned()];
    assert_eq!(warn(controls).await, ["299 - \"d \\\"\\\\\""]);
}

#[tokio::test]
async fn a_watch_of_an_object_names_no_other_fields() {
    let client = ApiServer::new().client();
    send(&client, "POST", MAPS, &json!({"metadata": {"name": "w"}})).await.ok();
    let watched = MAPS.replace("/v1/", "/v1/watch/");
    let path = format!("{watched}/w?timeoutSeconds=1&fieldSelector=metadata");
    for selector in [".namespace%3Ddefault", ".name%3Dx"] {
        let rejected = get(&client, &format!("{path}{selector}")).await.rejected(400);
        assert_eq!(rejected, "fieldSelector metadata.name doesn't match requested name");
    }
    assert_eq!(get(&client, &format!("{path}.name%3Dw")).await.code, 200);
    // The path of the object has no watches.
    let read = get(&client, &format!("{MAPS}/w?watch=true&fieldSelector=metadata.name%3Dx")).await;
    assert_eq!(read.ok()["kind"], "ConfigMap");
}

#[tokio::test]
async fn a_terminating_namespace_says_what_it_waits_for() {
    let client = ApiServer::new().client();
    let space = "/api/v1/namespaces/t";
    send(&client, "POST", "/api/v1/namespaces", &json!({"metadata": {"name": "t"}})).await.ok();
    let held = json!({"metadata": {"name": "x", "finalizers": ["example.com/f"]}});
    send(&client, "POST", &format!("{space}/configmaps"), &held).await.ok();
    delete(&client, space).await.ok();
    let status = get(&client, space).await.ok()["status"].clone();
    let conditions: Vec<(&str, &str, &str)> = status["conditions"]
        .as_array()
        .expect("conditions")
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().expect("a text");
            (text("type"), text("status"), text("message"))
        })
        .collect();
    assert_eq!(
        conditions,
        [
            ("NamespaceDeletionDiscoveryFailure", "False", "All resources successfully discovered"),
            (
                "NamespaceDeletionGroupVersionParsingFailure",
                "False",
                "All legacy kube types successfully parsed"
            ),
            (
                "NamespaceDeletionContentFailure",
                "False",
                "All content successfully deleted, may be waiting on finalization"
            ),
            (
                "NamespaceContentRemaining",
                "True",
                "Some resources are remaining: configmaps. has 1 resource instances"
            ),
            (
                "NamespaceFinalizersRemaining",
                "True",
                "Some content in the namespace has finalizers remaining: example.com/f in 1 resource instances"
            ),
        ]
    );
}
