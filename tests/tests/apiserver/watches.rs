//! Watches, event by event, in paused time.

use std::time::Duration;

use crd_apiserver::ApiServer;
use futures::{AsyncBufReadExt as _, StreamExt as _};
use http::Request;
use kube::Client;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::ask::{CRONTABS, delete, get, object, patch, send, server};

/// The events of a watch.
struct Events(futures::stream::BoxStream<'static, Value>);

impl Events {
    async fn of(client: &Client, query: &str) -> Self {
        Self::with(client, query, "application/json").await
    }

    async fn with(client: &Client, query: &str, accept: &str) -> Self {
        let uri = format!("{CRONTABS}?watch=1&{query}");
        let request =
            Request::get(uri).header("accept", accept).body(Vec::new()).expect("a request");
        let lines = client.request_stream(request).await.expect("a stream").lines();
        let event = |line: std::io::Result<String>| {
            serde_json::from_str(&line.expect("a line")).expect("an event")
        };
        Self(lines.map(event).boxed())
    }

    async fn next(&mut self) -> Option<Value> {
        self.0.next().await
    }

    /// Returns the type of the next event and the name of its object: `ADDED a`.
    async fn next_text(&mut self) -> String {
        let event = self.next().await.expect("an event");
        let name = event["object"]["metadata"]["name"].as_str().unwrap_or_default();
        format!("{} {name}", event["type"].as_str().unwrap_or_default())
    }
}

async fn make(client: &Client, name: &str) -> Value {
    send(client, "POST", CRONTABS, &object(name, 2)).await.ok()
}

#[tokio::test(start_paused = true)]
async fn changes_are_sent_as_they_come() {
    let client = server().client();
    let first = make(&client, "a").await;
    let version = first["metadata"]["resourceVersion"].as_str().expect("a version");
    let mut events = Events::of(&client, &format!("resourceVersion={version}")).await;
    make(&client, "b").await;
    patch(&client, &format!("{CRONTABS}/a"), "merge", &json!({"spec": {"image": "i"}})).await.ok();
    delete(&client, &format!("{CRONTABS}/b")).await.ok();
    assert_eq!(events.next_text().await, "ADDED b");
    assert_eq!(events.next_text().await, "MODIFIED a");
    let gone = events.next().await.expect("an event");
    assert_eq!(
        (&gone["type"], &gone["object"]["metadata"]["name"]),
        (&json!("DELETED"), &json!("b"))
    );
    let later = make(&client, "c").await;
    let number = |object: &Value| {
        object["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse::<u64>().ok())
    };
    assert_eq!(number(&gone["object"]).map(|n| n + 1), number(&later));
}

#[tokio::test(start_paused = true)]
async fn existing_objects_come_first_and_then_a_bookmark() {
    let client = server().client();
    make(&client, "a").await;
    let query = "sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    let mut events = Events::of(&client, query).await;
    assert_eq!(events.next_text().await, "ADDED a");
    let end = events.next().await.expect("a bookmark");
    assert_eq!(end["type"], "BOOKMARK");
    assert_eq!(
        end["object"]["metadata"]["annotations"],
        json!({"k8s.io/initial-events-end": "true"})
    );
    assert_eq!(
        (&end["object"]["kind"], &end["object"]["apiVersion"]),
        (&json!("CronTab"), &json!("stable.example.com/v1"))
    );
    make(&client, "b").await;
    assert_eq!(events.next_text().await, "ADDED b");
}

/// The server answers at once, and waits three seconds for a resource version that it has not reached.
#[tokio::test(start_paused = true)]
async fn a_list_of_the_future_is_waited_for() {
    let client = server().client();
    let made = make(&client, "a").await;
    let now: u64 = made["metadata"]["resourceVersion"]
        .as_str()
        .and_then(|text| text.parse().ok())
        .expect("a version");
    let query = "sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    let after = |more: u64| format!("{query}&resourceVersion={}", now + more);
    let begin = Instant::now();
    let mut never = Events::of(&client, &after(100_000)).await;
    let mut soon = Events::of(&client, &after(1)).await;
    make(&client, "b").await;
    assert_eq!(soon.next_text().await, "ADDED a");
    assert_eq!(soon.next_text().await, "ADDED b");
    assert_eq!(soon.next().await.expect("a bookmark")["type"], "BOOKMARK");
    assert_eq!(begin.elapsed(), Duration::ZERO);
    let error = never.next().await.expect("an error");
    assert_eq!(
        (&error["type"], &error["object"]["code"], &error["object"]["message"]),
        (
            &json!("ERROR"),
            &json!(504),
            &json!(format!(
                "Timeout: Too large resource version: {}, current: {}",
                now + 100_000,
                now + 1
            ))
        )
    );
    assert_eq!(begin.elapsed(), Duration::from_secs(3));
    assert_eq!(never.next().await, None);
    // The time of a watch runs from its first event.
    let mut short = Events::of(&client, &format!("{}&timeoutSeconds=1", after(100_000))).await;
    let error = short.next().await.expect("an error");
    assert_eq!((&error["object"]["code"], short.next().await), (&json!(504), None));
    let mut soon = Events::of(&client, &format!("{}&timeoutSeconds=1", after(2))).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    make(&client, "c").await;
    assert_eq!(soon.next_text().await, "ADDED a");
}

#[tokio::test(start_paused = true)]
async fn a_watch_with_a_negative_timeout_has_no_events() {
    let client = server().client();
    make(&client, "a").await;
    let begin = Instant::now();
    for query in ["resourceVersion=0", "allowWatchBookmarks=true"] {
        let mut events = Events::of(&client, &format!("timeoutSeconds=-1&{query}")).await;
        assert_eq!(events.next().await, None);
    }
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

/// Upstream: `ValidateListOptions` looks at the parameter `watch`, and not at the path.
#[tokio::test(start_paused = true)]
async fn a_path_with_watch_has_the_options_of_a_list() {
    let client = server().client();
    make(&client, "a").await;
    let path = "/apis/stable.example.com/v1/watch/crontabs?timeoutSeconds=1";
    let code = async |query: &str| get(&client, &format!("{path}&{query}")).await.code;
    for query in [
        "resourceVersion=0&resourceVersionMatch=NotOlderThan",
        "resourceVersion=1&resourceVersionMatch=Exact",
        "continue=abc",
        "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
    ] {
        assert_eq!(code(query).await, 200, "{query}");
    }
    for query in [
        "resourceVersionMatch=Exact",
        "watch=false&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
        "watch=true&resourceVersion=0&resourceVersionMatch=NotOlderThan",
    ] {
        assert_eq!(code(query).await, 422, "{query}");
    }
    let why = get(&client, &format!("{path}&sendInitialEvents=true")).await.rejected(422);
    assert!(why.ends_with("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"));
    let read = get(&client, &format!("{CRONTABS}/a?watch=true")).await.ok();
    assert_eq!((&read["kind"], &read["metadata"]["name"]), (&json!("CronTab"), &json!("a")));
}

#[tokio::test(start_paused = true)]
async fn bookmarks_come_each_minute_and_before_the_end() {
    let client = server().client();
    make(&client, "a").await;
    let begin = Instant::now();
    let query = "resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=100&fieldSelector=metadata.name%3Dx";
    let mut events = Events::of(&client, query).await;
    let mut at = Vec::new();
    while let Some(event) = events.next().await {
        assert_eq!(event["type"], "BOOKMARK");
        at.push(begin.elapsed().as_secs());
    }
    assert_eq!((at, begin.elapsed().as_secs()), (vec![60, 98], 100));
}

#[tokio::test(start_paused = true)]
async fn selectors_change_the_types_of_events() {
    let client = server().client();
    let mut events = Events::of(&client, "resourceVersion=1&labelSelector=app").await;
    make(&client, "a").await;
    let path = format!("{CRONTABS}/a");
    let label = |value: Value| json!({"metadata": {"labels": {"app": value}}});
    patch(&client, &path, "merge", &label("x".into())).await.ok();
    patch(&client, &path, "merge", &label("y".into())).await.ok();
    patch(&client, &path, "merge", &label(Value::Null)).await.ok();
    assert_eq!(events.next_text().await, "ADDED a");
    assert_eq!(events.next_text().await, "MODIFIED a");
    let gone = events.next().await.expect("an event");
    // The object is the last one that matched the selector, with the resource version of the change.
    assert_eq!(
        (&gone["type"], &gone["object"]["metadata"]["labels"]["app"]),
        (&json!("DELETED"), &json!("y"))
    );
}

#[tokio::test(start_paused = true)]
async fn compacted_changes_cannot_be_sent() {
    let server = server();
    let client = server.client();
    make(&client, "a").await;
    server.compact();
    let mut events = Events::of(&client, "resourceVersion=2").await;
    let error = events.next().await.expect("an event");
    assert_eq!(
        (&error["type"], &error["object"]["code"], &error["object"]["reason"]),
        (&json!("ERROR"), &json!(410), &json!("Expired"))
    );
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn tables_of_watches_have_their_columns_once() {
    let client = server().client();
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let mut events = Events::with(&client, "resourceVersion=1", table).await;
    make(&client, "a").await;
    make(&client, "b").await;
    let first = events.next().await.expect("an event");
    assert_eq!(first["object"]["rows"][0]["cells"][0], "a");
    assert!(first["object"]["columnDefinitions"].is_array());
    assert!(events.next().await.expect("an event")["object"]["columnDefinitions"].is_null());
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_with_its_definition() {
    let client = server().client();
    make(&client, "a").await;
    let mut events = Events::of(&client, "resourceVersion=1").await;
    assert_eq!(events.next_text().await, "ADDED a");
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";
    delete(&client, crd).await.ok();
    assert_eq!(events.next_text().await, "DELETED a");
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_event_arrives_at_once() {
    let client = ApiServer::builder()
        .with(&<crd_examples::crontab::CronTab as crd_runtime::CustomResource>::crd())
        .start()
        .client();
    let mut events = Events::of(&client, "resourceVersion=1").await;
    let begin = Instant::now();
    let task = tokio::spawn(async move { events.next_text().await });
    tokio::task::yield_now().await;
    make(&client, "a").await;
    assert_eq!(task.await.expect("an event"), "ADDED a");
    // The paused clock advances only if the watch sleeps.
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_change_comes_before_a_bookmark_that_is_due_and_before_the_end() {
    let client = server().client();
    let query = "resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=3000";
    let mut events = Events::of(&client, query).await;
    for minute in 0..40 {
        assert!(futures::poll!(std::pin::pin!(events.next())).is_pending());
        let name = format!("c{minute}");
        let made = make(&client, &name).await;
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(events.next_text().await, format!("ADDED {name}"));
        let bookmark = events.next().await.expect("an event");
        assert_eq!(bookmark["type"], "BOOKMARK");
        let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
        assert_eq!(version(&bookmark["object"]), version(&made));
    }
    for number in 0..20 {
        let from =
            make(&client, &format!("d{number}")).await["metadata"]["resourceVersion"].clone();
        let from = from.as_str().expect("a version");
        let query = format!("resourceVersion={from}&timeoutSeconds=9");
        let mut events = Events::of(&client, &query).await;
        assert!(futures::poll!(std::pin::pin!(events.next())).is_pending());
        make(&client, &format!("e{number}")).await;
        tokio::time::advance(Duration::from_secs(9)).await;
        assert_eq!(events.next_text().await, format!("ADDED e{number}"));
        assert!(events.next().await.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_has_sent_all_changes_goes_on_after_a_compaction() {
    let server = server();
    let client = server.client();
    let mut events = Events::of(&client, "resourceVersion=1").await;
    make(&client, "a").await;
    assert_eq!(events.next_text().await, "ADDED a");
    server.compact();
    make(&client, "b").await;
    assert_eq!(events.next_text().await, "ADDED b");
    make(&client, "c").await;
    server.compact();
    assert_eq!(events.next().await.expect("an event")["object"]["code"], 410);
    assert!(events.next().await.is_none());
}
