//! The controller of websites.
//!
//! A website owns a Deployment and, if its content is built, a Job. Its route is a `ConfigMap` in the namespace of the
//! ingress. An owner must be in the same namespace, so a finalizer deletes the `ConfigMap`.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, DeleteParams, Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Event, EventType, Recorder};
use kube::runtime::finalizer::{self, finalizer};
use kube::runtime::watcher;
use kube::{Client, Resource as _, ResourceExt as _};
use serde_json::json;

use crate::website::{Website, WebsiteSpec, WebsiteStatus};

/// The name of the operator as a field manager and as the reporter of events.
pub const NAME: &str = "website-operator";
/// The namespace from which the ingress reads its routes.
pub const INGRESS: &str = "ingress";

const FINALIZER: &str = "example.com/route";
/// The reasons of the condition `Ready` that are events too.
const READY: &str = "AllReplicasReady";
const FAILED: &str = "BuildFailed";

/// Reconciles all websites, until the process gets a signal to end.
pub async fn run(client: Client) {
    run_with(client, watcher::Config::default()).await;
}

/// Does what [`run`] does, with another configuration of watches.
pub async fn run_with(client: Client, config: watcher::Config) {
    let recorder = Recorder::new(client.clone(), NAME.into());
    Controller::new(Api::<Website>::all(client.clone()), config.clone())
        .owns(Api::<Deployment>::all(client.clone()), config.clone())
        .owns(Api::<Job>::all(client.clone()), config)
        .shutdown_on_signal()
        .run(reconcile, retry, Arc::new(Context { client, recorder }))
        // Failures are retried; a real operator would log them here.
        .for_each(|_| std::future::ready(()))
        .await;
}

struct Context {
    client: Client,
    recorder: Recorder,
}

type Error = finalizer::Error<kube::Error>;

fn retry(_: Arc<Website>, _: &Error, _: Arc<Context>) -> Action {
    Action::requeue(Duration::from_secs(5))
}

async fn reconcile(website: Arc<Website>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = website.namespace().unwrap_or_default();
    let api = Api::<Website>::namespaced(context.client.clone(), &namespace);
    finalizer(&api, FINALIZER, website, async |event| match event {
        finalizer::Event::Apply(website) => context.apply(&api, &website).await,
        finalizer::Event::Cleanup(website) => context.clean_up(&website).await,
    })
    .await
}

impl Context {
    /// Creates or updates what belongs to a website. Each step is idempotent, because an earlier call, completed or
    /// interrupted, may have done it already.
    async fn apply(&self, api: &Api<Website>, website: &Website) -> kube::Result<Action> {
        self.apply_route(website).await?;
        let status = match self.unfinished_build(website).await? {
            Some(reason) => status(website, reason, 0),
            None => status_of_replicas(website, &self.apply_deployment(website).await?),
        };
        if website.status.as_ref() == Some(&status) {
            return Ok(Action::await_change());
        }
        if reason(website.status.as_ref()) != reason(Some(&status)) {
            // Before the status: if the operator is stopped in between, the event is emitted again, not lost.
            self.report(website, &status).await?;
        }
        let patch = Patch::Merge(json!({"status": status}));
        api.patch_status(&website.name_any(), &PatchParams::default(), &patch).await?;
        Ok(Action::await_change())
    }

    /// Emits an event if the website has become ready or its build has failed.
    async fn report(&self, website: &Website, status: &WebsiteStatus) -> kube::Result<()> {
        let WebsiteSpec { host, replicas, .. } = &website.spec;
        let (type_, note) = match reason(Some(status)) {
            Some(READY) => (EventType::Normal, format!("{replicas} replicas serve {host}")),
            Some(FAILED) => (EventType::Warning, "the content cannot be built".to_owned()),
            _ => return Ok(()),
        };
        let event = Event {
            type_,
            reason: reason(Some(status)).unwrap_or_default().to_owned(),
            note: Some(note),
            action: "Reconcile".into(),
            secondary: None,
        };
        self.recorder.publish(&event, &website.object_ref(&())).await
    }

    /// Applies the job that builds the content. Returns why the web server cannot start yet.
    async fn unfinished_build(&self, website: &Website) -> kube::Result<Option<&'static str>> {
        let Some(image) = &website.spec.build else { return Ok(None) };
        let name = format!("{}-build", website.name_any());
        let job = json!({
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "ownerReferences": [website.controller_owner_ref(&())]},
            "spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "build", "image": image}],
            }}},
        });
        let namespace = website.namespace().unwrap_or_default();
        let api = Api::<Job>::namespaced(self.client.clone(), &namespace);
        let params = PatchParams::apply(NAME).force();
        let job = api.patch(&name, &params, &Patch::Apply(&job)).await?;
        let conditions = job.status.and_then(|status| status.conditions).unwrap_or_default();
        let is = |type_| conditions.iter().any(|it| it.type_ == type_ && it.status == "True");
        Ok(match () {
            () if is("Complete") => None,
            () if is("Failed") => Some(FAILED),
            () => Some("Building"),
        })
    }

    async fn apply_deployment(&self, website: &Website) -> kube::Result<Deployment> {
        let (name, spec) = (website.name_any(), &website.spec);
        let labels = json!({"app": name});
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": name, "ownerReferences": [website.controller_owner_ref(&())]},
            "spec": {
                "replicas": spec.replicas,
                "selector": {"matchLabels": labels},
                "template": {
                    "metadata": {"labels": labels},
                    "spec": {"containers": [{"name": "web", "image": spec.image}]},
                },
            },
        });
        let namespace = website.namespace().unwrap_or_default();
        let api = Api::<Deployment>::namespaced(self.client.clone(), &namespace);
        api.patch(&name, &PatchParams::apply(NAME).force(), &Patch::Apply(&deployment)).await
    }

    async fn apply_route(&self, website: &Website) -> kube::Result<ConfigMap> {
        let name = route(website);
        let service = format!("{}.{}", website.name_any(), website.namespace().unwrap_or_default());
        let route = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
            "data": {"host": website.spec.host, "service": service},
        });
        let params = PatchParams::apply(NAME).force();
        self.routes().patch(&name, &params, &Patch::Apply(&route)).await
    }

    async fn clean_up(&self, website: &Website) -> kube::Result<Action> {
        match self.routes().delete(&route(website), &DeleteParams::default()).await {
            Err(kube::Error::Api(status)) if status.is_not_found() => {}
            deleted => drop(deleted?),
        }
        Ok(Action::await_change())
    }

    fn routes(&self) -> Api<ConfigMap> {
        Api::namespaced(self.client.clone(), INGRESS)
    }
}

/// Returns the name of a website's route, which is unique.
fn route(website: &Website) -> String {
    format!("{}.{}", website.namespace().unwrap_or_default(), website.name_any())
}

/// Computes the status of a website from its Deployment.
fn status_of_replicas(website: &Website, deployment: &Deployment) -> WebsiteStatus {
    let generation = deployment.metadata.generation;
    // Ignores the status of a Deployment that is about an earlier spec.
    let current =
        deployment.status.as_ref().filter(|status| status.observed_generation == generation);
    let ready = current.and_then(|status| status.ready_replicas).unwrap_or_default();
    let is_ready = current.is_some() && ready >= website.spec.replicas;
    status(website, if is_ready { READY } else { "Starting" }, ready)
}

/// Returns the status with the condition `Ready`, which is true if `reason` is [`READY`].
fn status(website: &Website, reason: &str, ready_replicas: i32) -> WebsiteStatus {
    let status = if reason == READY { "True" } else { "False" };
    let known = website.status.iter().flat_map(|status| &status.conditions);
    let same = known.into_iter().find(|it| it.type_ == "Ready" && it.status == status);
    let condition = Condition {
        type_: "Ready".to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message: format!("{ready_replicas} of {} replicas are ready", website.spec.replicas),
        last_transition_time: same.map_or_else(now, |same| same.last_transition_time.clone()),
        observed_generation: website.metadata.generation,
    };
    let observed_generation = website.metadata.generation;
    WebsiteStatus { observed_generation, ready_replicas, conditions: vec![condition] }
}

/// Returns the reason of the condition `Ready`.
fn reason(status: Option<&WebsiteStatus>) -> Option<&str> {
    let mut conditions = status?.conditions.iter();
    conditions.find(|it| it.type_ == "Ready").map(|it| it.reason.as_str())
}

/// Returns the time in whole seconds, as the server stores it.
fn now() -> Time {
    let now = Timestamp::now();
    Time(Timestamp::from_second(now.as_second()).unwrap_or(now))
}

/// Whether the website's condition `Ready` is true.
pub fn is_ready(status: &WebsiteStatus) -> bool {
    status.conditions.iter().any(|it| it.type_ == "Ready" && it.status == "True")
}
