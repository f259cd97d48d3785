//! An operator as kube's runtime drives it: a controller over a derived kind, with a finalizer and a status.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crd_runtime::client::kube::runtime::controller::{Action, Controller};
use crd_runtime::client::kube::runtime::watcher;
use crd_runtime::client::{Api, Error, InstallOptions, finalizer, install};
use crd_runtime::{CrdSchema, CustomResource};
use futures::StreamExt as _;
use kube::ResourceExt as _;
use kube::api::{DeleteParams, PostParams};
use serde::{Deserialize, Serialize};

use crate::cluster::{Cluster, eventually};

const FINALIZER: &str = "engines.example.com/stop";

/// An engine.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "engines.example.com", version = "v1", kind = "Engine", namespaced)]
#[crd(status = EngineStatus)]
pub(crate) struct EngineSpec {
    speed: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EngineStatus {
    speed: i32,
    observed_generation: i64,
}

/// The context of the controller: its client, and the names of the engines that it has stopped.
struct Context {
    api: Api<Engine>,
    stopped: Mutex<Vec<String>>,
}

async fn reconcile(
    engine: Arc<Engine>,
    context: Arc<Context>,
) -> Result<Action, finalizer::Error<Error>> {
    finalizer(context.api.kube(), FINALIZER, engine, async |event| match event {
        finalizer::Event::Apply(engine) => {
            let status = EngineStatus {
                speed: engine.spec.speed,
                observed_generation: engine.metadata.generation.unwrap_or_default(),
            };
            let report = |engine: &mut Engine| engine.status = Some(status.clone());
            let checked = context.api.checked()?;
            checked.modify_status(&engine.name_any(), &PostParams::default(), report).await?;
            Ok(Action::await_change())
        }
        finalizer::Event::Cleanup(engine) => {
            context.stopped.lock().expect("no panic").push(engine.name_any());
            Ok(Action::await_change())
        }
    })
    .await
}

pub(crate) async fn reconciles(cluster: Cluster) {
    let options = InstallOptions::default();
    install(&cluster.client, &Engine::crd(), &options).await.expect("installed");
    let api: Api<Engine> = Api::namespaced(cluster.client.clone(), "default");
    let context = Arc::new(Context { api: api.clone(), stopped: Mutex::default() });
    let retry = |_: Arc<Engine>, _: &finalizer::Error<Error>, _: Arc<Context>| {
        Action::requeue(Duration::from_millis(200))
    };
    let controller = Controller::new(api.kube().clone(), watcher::Config::default());
    let runs = controller.run(reconcile, retry, Arc::clone(&context));
    let running = tokio::spawn(runs.for_each(|_| std::future::ready(())));

    let params = PostParams::default();
    api.create(&params, &Engine::new("first", EngineSpec { speed: 3 })).await.expect("created");
    let status = |speed, observed_generation| Some(EngineStatus { speed, observed_generation });
    let reported = async |want: Option<EngineStatus>| {
        eventually("a status", async || {
            let engine = api.get("first").await.expect("there");
            (engine.status == want).then_some(engine)
        })
        .await
    };
    assert_eq!(reported(status(3, 1)).await.finalizers(), [FINALIZER]);
    api.modify("first", &params, |engine| engine.spec.speed = 5).await.expect("written");
    reported(status(5, 2)).await;

    // The object stays until the controller has removed its finalizer.
    api.delete("first", &DeleteParams::default()).await.expect("deleted");
    eventually("the end", async || {
        api.get_opt("first").await.expect("an answer").is_none().then_some(())
    })
    .await;
    assert_eq!(*context.stopped.lock().expect("no panic"), ["first"]);
    running.abort();
}
