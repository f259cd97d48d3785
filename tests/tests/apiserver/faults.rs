//! Injected faults, and how kube's client and raw requests see them.

use std::time::Duration;

use crd_apiserver::faults::{Fault, Requests};
use crd_apiserver::{Mask, Storage};
use crd_examples::crontab::CronTab;
use futures::{StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt as _;
use kube::api::{Api, ListParams, PostParams, WatchEvent, WatchParams};
use kube::runtime::watcher;
use serde_json::json;

use crate::ask::{CRONTABS, crontab, get, object, send, server};

const RESOURCE: &str = "crontabs.stable.example.com";

#[tokio::test(start_paused = true)]
async fn a_request_is_rejected_in_the_server_s_words() {
    let server = server();
    let client = server.client();
    let path = format!("{CRONTABS}/a");
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let faults = [
        (
            Fault::Conflict,
            409,
            "Operation cannot be fulfilled on crontabs.stable.example.com \"a\": the object has \
                                been modified; please apply your changes to the latest version and try again",
        ),
        (Fault::Gone, 410, "The resourceVersion for the provided list is too old."),
        (Fault::Internal("no disk".to_owned()), 500, "Internal error occurred: no disk"),
    ];
    for (fault, code, message) in faults {
        let injected = server.inject(Requests::of(RESOURCE).verb("get").once(), fault);
        assert_eq!(get(&client, &path).await.rejected(code), message);
        get(&client, &path).await.ok();
        assert_eq!(injected.hits(), 1);
        injected.remove();
    }
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_answers_429_or_503() {
    let server = server();
    let recording = server.record();
    let api: Api<CronTab> = Api::namespaced(server.client(), "default");
    server.inject(Requests::of(RESOURCE).nth(1), Fault::TooManyRequests { retry_after: 7 });
    server.inject(Requests::of(RESOURCE).nth(2), Fault::Unavailable);
    for _ in 0..2 {
        api.list(&ListParams::default()).await.expect_err("not now");
    }
    api.list(&ListParams::default()).await.expect("at last");
    let transcript = recording.transcript();
    let codes = transcript.exchanges().iter().map(|exchange| exchange.code);
    assert_eq!(codes.collect::<Vec<_>>(), [Some(429), Some(503), Some(200)]);
    assert_eq!(transcript.exchanges()[0].answer, "Too many requests, please try again later.\n");
}

#[tokio::test(start_paused = true)]
async fn a_write_without_an_answer_may_have_been_done() {
    let faults = [
        (Fault::Disconnect, false),
        (Fault::LoseAnswer, true),
        (Fault::Timeout { is_done: false }, false),
        (Fault::Timeout { is_done: true }, true),
    ];
    for (fault, is_done) in faults {
        let server = server();
        let begin = tokio::time::Instant::now();
        let is_timeout = matches!(fault, Fault::Timeout { .. });
        server.inject(Requests::of(RESOURCE).verb("create").client("fragile"), fault);
        let fragile: Api<CronTab> = Api::namespaced(server.client_of("fragile"), "default");
        fragile.create(&PostParams::default(), &crontab("a", 2)).await.expect_err("no answer");
        assert_eq!(begin.elapsed() >= Duration::from_secs(60), is_timeout);
        let api: Api<CronTab> = Api::namespaced(server.client(), "default");
        assert_eq!(api.get_opt("a").await.expect("an answer").is_some(), is_done);
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_arrives_later() {
    let server = server();
    let late = Duration::from_secs(30);
    server.inject(Requests::of("configmaps"), Fault::Delay(late));
    let begin = tokio::time::Instant::now();
    let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
    api.list(&ListParams::default()).await.expect("listed");
    assert_eq!(begin.elapsed().as_secs(), late.as_secs());
}

/// Returns the names of the objects in the events of a watch until it ends; for errors, their codes and messages.
async fn event_texts(api: &Api<CronTab>, version: &str) -> Vec<String> {
    let params = WatchParams::default().timeout(10);
    let events = api.watch(&params, version).await.expect("a watch");
    let events: Vec<_> = events.try_collect().await.expect("events");
    let name = |event| match event {
        WatchEvent::Added(object) => CronTab::name_any(&object),
        WatchEvent::Error(status) => format!("{} {}", status.code, status.message),
        other => format!("{other:?}"),
    };
    let is_no_bookmark = |event: &WatchEvent<CronTab>| !matches!(event, WatchEvent::Bookmark(_));
    events.into_iter().filter(is_no_bookmark).map(name).collect()
}

#[tokio::test(start_paused = true)]
async fn watches_can_end_and_be_delayed() {
    let server = server();
    let client = server.client();
    let api: Api<CronTab> = Api::namespaced(client.clone(), "default");
    let version = api.list(&ListParams::default()).await.expect("listed").metadata.resource_version;
    let version = version.expect("a version");
    for name in ["a", "b", "c"] {
        send(&client, "POST", CRONTABS, &object(name, 2)).await.ok();
    }
    assert_eq!(event_texts(&api, &version).await, ["a", "b", "c"]);
    let end = server.inject(Requests::of(RESOURCE).verb("watch"), Fault::EndWatch { after: 2 });
    assert_eq!(event_texts(&api, &version).await, ["a", "b"]);
    end.remove();
    let late = Duration::from_secs(3);
    let delay = server.inject(Requests::of(RESOURCE).verb("watch"), Fault::DelayEvents(late));
    let begin = tokio::time::Instant::now();
    let mut events = api.watch(&WatchParams::default(), &version).await.expect("a watch").boxed();
    events.try_next().await.expect("no error").expect("an event");
    assert_eq!(begin.elapsed().as_secs(), late.as_secs());
    delay.remove();
    server.inject(Requests::of(RESOURCE).verb("watch").once(), Fault::Gone);
    let gone = event_texts(&api, &version).await;
    assert!(gone[0].starts_with("410 too old resource version"), "{gone:?}");
}

#[tokio::test(start_paused = true)]
async fn a_watcher_survives_each_restart() {
    let server = server();
    let before = server.snapshot();
    let api: Api<CronTab> = Api::namespaced(server.client(), "default");
    let create = async |name: &str| {
        api.create(&PostParams::default(), &crontab(name, 2)).await.expect("created")
    };
    create("a").await;
    let with_a = server.snapshot();
    let mut events = watcher(api.clone(), watcher::Config::default()).boxed();
    let mut until = async |want: &str| {
        let mut seen = Vec::new();
        loop {
            match events.next().await.expect("no end") {
                Ok(watcher::Event::InitApply(object) | watcher::Event::Apply(object)) => {
                    seen.push(object.name_any());
                }
                Ok(watcher::Event::Init) => seen.push("anew".to_owned()),
                Ok(_) | Err(_) => {}
            }
            if seen.last().is_some_and(|last| last == want) {
                return seen;
            }
        }
    };
    assert_eq!(until("a").await, ["anew", "a"]);
    // The objects are kept: the watcher continues.
    server.restart(Storage::Kept);
    create("b").await;
    assert_eq!(until("b").await, ["b"]);
    // Earlier objects are restored: the watcher gets status 410 for its resource version, and lists again.
    server.restart(Storage::Restored(with_a.clone()));
    assert_eq!(until("a").await, ["anew", "a"]);
    let versions = Mask { ids: false, times: false, managed_fields: false, versions: true };
    let changes = with_a.masked(versions).changes(&server.snapshot().masked(versions));
    assert!(changes.is_empty(), "{changes}");
    // All objects are lost, including the definition.
    server.restart(Storage::Lost);
    api.list(&ListParams::default()).await.expect_err("no such kind");
    server.restart(Storage::Restored(before));
    create("c").await;
    assert_eq!(until("c").await.last().expect("some"), "c");
}

#[tokio::test(start_paused = true)]
async fn a_watch_after_a_restore_gets_status_410() {
    let server = server();
    let client = server.client();
    let api: Api<CronTab> = Api::namespaced(client.clone(), "default");
    let old = api.list(&ListParams::default()).await.expect("listed").metadata.resource_version;
    let config = json!({"metadata": {"name": "x"}, "apiVersion": "v1", "kind": "ConfigMap"});
    send(&client, "POST", "/api/v1/namespaces/default/configmaps", &config).await.ok();
    server.restart(Storage::Restored(server.snapshot()));
    let texts = event_texts(&api, &old.expect("a version")).await;
    assert!(texts[0].starts_with("410 "), "{texts:?}");
    get(&client, "/api/v1/namespaces/default/configmaps/x").await.ok();
}

#[tokio::test]
async fn an_answer_can_be_given_and_decided() {
    let server = server();
    let client = server.client();
    let body = json!({"kind": "Status", "status": "Failure", "message": "the licence has expired", "code": 402});
    let answered =
        server.inject(Requests::of(RESOURCE).verb("create"), Fault::Answer { code: 402, body });
    let rejected = send(&client, "POST", CRONTABS, &object("a", 2)).await;
    assert_eq!(rejected.rejected(402), "the licence has expired");
    answered.remove();
    // The function may use the server.
    let inner = server.clone();
    let decided = server.inject(
        Requests::of(RESOURCE),
        Fault::decided_by(move |info| {
            inner.inject(Requests::of("secrets"), Fault::Gone).remove();
            (info.verb == "get").then(|| Fault::decided_by(|_| Some(Fault::Conflict)))
        }),
    );
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    get(&client, &format!("{CRONTABS}/a")).await.rejected(409);
    assert_eq!(decided.hits(), 1);
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "GET /api/v1/namespaces/default/configmaps/a")]
async fn what_does_not_happen_is_reported_with_the_requests() {
    let server = server();
    let client = server.client();
    let asking = async {
        loop {
            get(&client, "/api/v1/namespaces/default/configmaps/a").await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    let within = Duration::from_secs(3);
    let wait = server.eventually(within, || server.get::<ConfigMap>("default", "a").ok());
    tokio::select! {
        () = asking => {}
        _ = wait => {}
    }
}
