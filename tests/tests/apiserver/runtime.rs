//! kube's client and runtime, in paused time.

use std::sync::Arc;
use std::time::Duration;

use crd_apiserver::ApiServer;
use crd_examples::crontab::{CronTab, CronTabStatus};
use crd_runtime::CustomResource as _;
use crd_runtime::client::{InstallOptions, install};
use futures::{StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::events::v1::Event;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Event as RecordedEvent, EventType, Recorder};
use kube::runtime::finalizer::{self, finalizer};
use kube::runtime::wait::{await_condition, conditions};
use kube::runtime::{WatchStreamExt as _, reflector, watcher};
use kube::{Client, Resource as _, ResourceExt as _};
use serde_json::json;

use crate::ask::{crontab, server};

fn crontabs(client: &Client) -> Api<CronTab> {
    Api::namespaced(client.clone(), "default")
}

async fn make(api: &Api<CronTab>, name: &str) -> CronTab {
    api.create(&PostParams::default(), &crontab(name, 2)).await.expect("created")
}

#[tokio::test(start_paused = true)]
async fn watchers_report_changes_with_and_without_streaming_lists() {
    for config in [watcher::Config::default(), watcher::Config::default().streaming_lists()] {
        let server = server();
        let api = crontabs(&server.client());
        make(&api, "a").await;
        let mut events = watcher(api.clone(), config).boxed();
        let mut seen = Vec::new();
        let mut next = async || match events.try_next().await.expect("no error").expect("more") {
            watcher::Event::Init => "init".to_owned(),
            watcher::Event::InitApply(object) => format!("init {}", object.name_any()),
            watcher::Event::InitDone => "done".to_owned(),
            watcher::Event::Apply(object) => format!("apply {}", object.name_any()),
            watcher::Event::Delete(object) => format!("delete {}", object.name_any()),
        };
        for _ in 0..3 {
            seen.push(next().await);
        }
        make(&api, "b").await;
        api.delete("a", &DeleteParams::default()).await.expect("deleted");
        seen.push(next().await);
        seen.push(next().await);
        assert_eq!(seen, ["init", "init a", "done", "apply b", "delete a"]);
        // Changes still arrive long after the first watch has ended.
        tokio::time::advance(Duration::from_secs(600)).await;
        make(&api, "c").await;
        let mut later = next().await;
        while later != "apply c" {
            later = next().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_reflector_has_all_objects() {
    let api = crontabs(&server().client());
    make(&api, "a").await;
    let (store, writer) = reflector::store();
    let stream = watcher(api.clone(), watcher::Config::default()).default_backoff().reflect(writer);
    let task = tokio::spawn(stream.for_each(|_| std::future::ready(())));
    store.wait_until_ready().await.expect("ready");
    make(&api, "b").await;
    while store.len() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    task.abort();
}

#[tokio::test(start_paused = true)]
async fn conditions_are_waited_for() {
    let server = ApiServer::new();
    let client = server.client();
    let options = InstallOptions::default();
    install(&client, &CronTab::crd(), &options).await.expect("installed");
    let again = install(&client, &CronTab::crd(), &options).await.expect("installed");
    assert_eq!(again.outcome, crd_runtime::client::Outcome::Unchanged);
    let api = crontabs(&client);
    let uid = make(&api, "a").await.uid().expect("an id");
    let gone = await_condition(api.clone(), "a", conditions::is_deleted(&uid));
    let deletion = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        api.delete("a", &DeleteParams::default()).await.expect("deleted");
    };
    let (gone, ()) = tokio::join!(gone, deletion);
    gone.expect("gone");
}

async fn reconcile(
    object: Arc<CronTab>,
    client: Arc<Client>,
) -> Result<Action, finalizer::Error<kube::Error>> {
    let api = crontabs(&client);
    finalizer(&api, "example.com/cleanup", object, async |event| {
        let finalizer::Event::Apply(object) = event else { return Ok(Action::await_change()) };
        let deployments: Api<Deployment> = Api::namespaced((*client).clone(), "default");
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": object.name_any(), "ownerReferences": [object.controller_owner_ref(&())]},
            "spec": {
                "replicas": object.spec.replicas, "selector": {"matchLabels": {"app": "x"}},
                "template": {
                    "metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "c", "image": "i"}]},
                },
            },
        });
        let params = PatchParams::apply("tests").force();
        deployments.patch(&object.name_any(), &params, &Patch::Apply(&deployment)).await?;
        let status = CronTabStatus { replicas: object.spec.replicas, ..CronTabStatus::default() };
        let status = json!({
            "apiVersion": CronTab::API_VERSION, "kind": CronTab::KIND, "status": status,
        });
        api.patch_status(&object.name_any(), &params, &Patch::Apply(&status)).await?;
        Ok(Action::await_change())
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_controller_reconciles() {
    let server = server();
    let client = server.client();
    let api = crontabs(&client);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), "default");
    let controller = Controller::new(api.clone(), watcher::Config::default())
        .owns(deployments.clone(), watcher::Config::default());
    let policy = |_: Arc<CronTab>, _: &finalizer::Error<kube::Error>, _: Arc<Client>| {
        Action::requeue(Duration::from_secs(1))
    };
    let running = controller.run(reconcile, policy, Arc::new(client.clone()));
    let running = tokio::spawn(running.for_each(|_| std::future::ready(())));
    make(&api, "a").await;
    let reported = async |want: i32| {
        for _ in 0..1_000 {
            let status = api.get("a").await.expect("there").status;
            if status.is_some_and(|status| status.replicas == want) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no status of {want}");
    };
    reported(2).await;
    assert_eq!(deployments.get("a").await.expect("owned").spec.replicas, Some(2));
    // The controller creates a deleted Deployment again.
    deployments.delete("a", &DeleteParams::default()).await.expect("deleted");
    while deployments.get_opt("a").await.expect("an answer").is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let scale = Patch::Merge(json!({"spec": {"replicas": 3}}));
    api.patch("a", &PatchParams::default(), &scale).await.expect("patched");
    reported(3).await;
    api.delete("a", &DeleteParams::default()).await.expect("deleted");
    while api.get_opt("a").await.expect("an answer").is_some() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The Deployment is deleted with its owner.
    assert!(deployments.get_opt("a").await.expect("an answer").is_none());
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn events_are_recorded_and_counted() {
    let client = server().client();
    let object = make(&crontabs(&client), "a").await;
    let recorder = Recorder::new(client.clone(), "tests".into());
    let event = RecordedEvent {
        type_: EventType::Normal,
        reason: "Made".into(),
        note: Some("it is there".into()),
        action: "Make".into(),
        secondary: None,
    };
    for _ in 0..2 {
        recorder.publish(&event, &object.object_ref(&())).await.expect("published");
    }
    let events: Api<Event> = Api::namespaced(client.clone(), "default");
    let found = events.list(&ListParams::default()).await.expect("listed");
    assert_eq!(found.items.len(), 1);
    assert_eq!(found.items[0].series.as_ref().map(|series| series.count), Some(2));
    // The core group serves the same events.
    let old: Api<k8s_openapi::api::core::v1::Event> = Api::namespaced(client, "default");
    let params = ListParams::default().fields("involvedObject.name=a");
    let old = old.list(&params).await.expect("listed");
    assert_eq!(old.items[0].message.as_deref(), Some("it is there"));
}
