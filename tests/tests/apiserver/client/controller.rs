//! kube's watchers, reflectors and controllers on a derived kind.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crd_examples::crontab::{CronTab, CronTabStatus};
use crd_runtime::client::kube::runtime::controller::{Action, Controller};
use crd_runtime::client::kube::runtime::watcher::{self, Event, watcher};
use crd_runtime::client::kube::runtime::{WatchStreamExt as _, reflector};
use crd_runtime::client::{Api, Error};
use futures::{StreamExt as _, future};
use http::{Request, Response};
use kube::api::PostParams;
use kube::client::Body;
use kube::{Client, ResourceExt as _};
use serde_json::{Value, json};

use super::double::Double;

fn crontab(name: &str, version: &str, replicas: i32) -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab",
        "metadata": {"name": name, "namespace": "prod", "uid": name, "resourceVersion": version},
        "spec": {"cronSpec": "* * * * *", "replicas": replicas},
    })
}

fn list(version: &str, items: &[Value]) -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTabList",
        "metadata": {"resourceVersion": version}, "items": items,
    })
}

fn events(events: &[(&str, Value)]) -> String {
    let line =
        |(kind, object): &(&str, Value)| format!("{}\n", json!({"type": kind, "object": object}));
    events.iter().map(line).collect()
}

#[tokio::test(start_paused = true)]
async fn a_reflector_lists_again_when_its_version_is_gone() {
    let gone = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 410,
        "reason": "Expired", "message": "too old resource version: 6 (20)",
    });
    let changes =
        [("MODIFIED", crontab("a", "6", 2)), ("ADDED", crontab("b", "7", 1)), ("ERROR", gone)];
    let double = Double::new()
        .answer(200, &list("5", &[crontab("a", "5", 1)]))
        .answer_bytes(200, &[], events(&changes))
        .answer(200, &list("20", &[crontab("a", "19", 3)]))
        .answer_bytes(200, &[], events(&[("ADDED", crontab("c", "21", 1))]));
    let api: Api<CronTab> = Api::namespaced(double.client(), "prod");
    let (store, writer) = reflector::store();
    let stream = watcher(api.kube().clone(), watcher::Config::default());
    let mut stream = stream.default_backoff().reflect(writer).boxed();
    let mut seen = Vec::new();
    while seen.last().is_none_or(|last| last != "c 1") {
        seen.push(match stream.next().await.expect("it goes on") {
            Ok(Event::Init) => "list".to_owned(),
            Ok(Event::InitDone) => "listed".to_owned(),
            Ok(Event::InitApply(crontab) | Event::Apply(crontab)) => {
                format!("{} {}", crontab.name_any(), crontab.spec.replicas)
            }
            Ok(Event::Delete(crontab)) => format!("{} is gone", crontab.name_any()),
            Err(watcher::Error::WatchError(status)) => status.reason,
            Err(error) => panic!("{error}"),
        });
    }
    let want = ["list", "a 1", "listed", "a 2", "b 1", "Expired", "list", "a 3", "listed", "c 1"];
    assert_eq!(seen, want);
    // An object that was deleted between the two lists is also removed from the store.
    let mut kept: Vec<String> = store.state().iter().map(|crontab| crontab.name_any()).collect();
    kept.sort_unstable();
    assert_eq!(kept, ["a", "c"]);
    let versions: Vec<String> = double
        .request_lines()
        .iter()
        .filter_map(|uri| {
            assert!(uri.contains("/apis/stable.example.com/v1/namespaces/prod/crontabs?"), "{uri}");
            let (_, version) = uri.split_once("&resourceVersion=")?;
            uri.contains("watch=true").then(|| version.split('&').next().unwrap().to_owned())
        })
        .collect();
    assert_eq!(versions, ["5", "20"]);
}

/// A server with one object. Watches of it are never answered; writes of its status are stored.
fn server(object: &Arc<Mutex<Value>>) -> Client {
    let object = Arc::clone(object);
    let service = tower::service_fn(move |request: Request<Body>| {
        let object = Arc::clone(&object);
        async move {
            let (parts, body) = request.into_parts();
            if parts.uri.query().is_some_and(|query| query.contains("watch=true")) {
                return future::pending::<Result<Response<Body>, Infallible>>().await;
            }
            let body = body.collect_bytes().await.unwrap();
            let mut object = object.lock().unwrap();
            let answer = match (parts.method.as_str(), parts.uri.path().rsplit('/').next()) {
                ("GET", Some("crontabs")) => list("5", &[object.clone()]),
                ("GET", Some("a")) => object.clone(),
                ("PUT", Some("status")) => {
                    *object = serde_json::from_slice(&body).unwrap();
                    object.clone()
                }
                other => panic!("{other:?}"),
            };
            Ok(Response::new(Body::from(answer.to_string().into_bytes())))
        }
    });
    Client::new(service, "prod")
}

async fn reconcile(crontab: Arc<CronTab>, api: Arc<Api<CronTab>>) -> Result<Action, Error> {
    let replicas = crontab.spec.replicas;
    let report = |crontab: &mut CronTab| {
        crontab.status = Some(CronTabStatus { replicas, label_selector: String::new() });
    };
    api.checked()?.modify_status(&crontab.name_any(), &PostParams::default(), report).await?;
    Ok(Action::requeue(Duration::from_secs(3600)))
}

#[tokio::test(start_paused = true)]
async fn a_controller_reconciles_by_the_typed_client() {
    let object = Arc::new(Mutex::new(crontab("a", "5", 3)));
    let api: Api<CronTab> = Api::namespaced(server(&object), "prod");
    let retry = |_: Arc<CronTab>, error: &Error, _: Arc<Api<CronTab>>| {
        Action::requeue(error.retry_after().unwrap_or(Duration::from_secs(1)))
    };
    let controller = Controller::new(api.kube().clone(), watcher::Config::default());
    let mut runs = controller.run(reconcile, retry, Arc::new(api)).boxed();
    let (reference, _) = runs.next().await.expect("a run").expect("it succeeds");
    assert_eq!((&*reference.name, reference.namespace.as_deref()), ("a", Some("prod")));
    assert_eq!(object.lock().unwrap()["status"], json!({"replicas": 3, "labelSelector": ""}));
}
