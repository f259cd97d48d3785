//! Finds the roles that the operator needs by running it; `cargo rbac` writes them to a file.

use std::sync::LazyLock;
use std::time::Duration;

use crd_apiserver::{ApiServer, ApiServerBuilder, Snapshot, StatusError};
use crd_runtime::convert::Converter;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::rbac::Permissions;
use crd_runtime::versions::Versions as _;
use kube::Client;
use kube::api::{Api, DeleteParams, PostParams};
use kube::runtime::wait::{await_condition, conditions};
use serde_json::json;

use crate::controller::{self, INGRESS, NAME, is_ready};
use crate::versions::{Websites, converter};
use crate::website::{Website, WebsiteSpec};

const DAY: Duration = Duration::from_secs(86_400);

/// The definition and its converter, which are made once for all servers of a process.
static DEFINITION: LazyLock<CustomResourceDefinition> =
    LazyLock::new(|| Websites::merged().unwrap_or_else(|why| panic!("{why}")));
static CONVERTER: LazyLock<Converter> = LazyLock::new(converter);

/// The state that each server begins with. Restoring a snapshot is much faster than creating a definition again. The
/// seed differs from that of the servers, so that no unique id occurs twice.
static BEGIN: LazyLock<Snapshot> = LazyLock::new(|| {
    let server = ApiServer::builder().seed(1).start();
    install(&server).unwrap_or_else(|why| panic!("{why}"));
    server.snapshot()
});

/// Returns a server that the operator can start with.
pub fn builder() -> ApiServerBuilder {
    let server = ApiServer::builder().converter("example.com", "Website", CONVERTER.clone());
    server.with_snapshot(BEGIN.clone())
}

/// Creates what the operator finds in a cluster: the definition and the namespace of the ingress.
///
/// # Errors
/// If the server has them already.
pub fn install(server: &ApiServer) -> Result<(), StatusError> {
    server.create(&*DEFINITION)?;
    server.create(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": INGRESS}}))
}

/// Returns a website with two replicas.
#[must_use]
pub fn website() -> Website {
    let (host, image) = ("example.com".to_owned(), "nginx:1.29".to_owned());
    Website::new("blog", WebsiteSpec { host, image, build: None, replicas: 2 })
}

/// Returns a website with two replicas, whose content a job has to build.
#[must_use]
pub fn website_with_build() -> Website {
    let mut website = website();
    website.spec.build = Some("hugo:0.150".to_owned());
    website
}

/// Runs the operator until the future `end` completes.
///
/// # Errors
/// If `end` fails or takes longer than a day, or the operator ends first.
pub async fn run_until<E>(
    client: Client,
    end: impl Future<Output = Result<(), E>>,
) -> Result<(), String>
where
    E: std::fmt::Display,
{
    tokio::select! {
        () = controller::run(client) => Err("the operator ended".to_owned()),
        () = tokio::time::sleep(DAY) => Err("a day has passed".to_owned()),
        ended = end => ended.map_err(|error| error.to_string()),
    }
}

/// Waits until the website `blog` is ready and its status is about its current spec.
///
/// # Errors
/// If the website cannot be watched.
pub async fn ready(client: Client) -> Result<(), kube::runtime::wait::Error> {
    let api = Api::<Website>::default_namespaced(client);
    let is_ready_as_specified = |website: Option<&Website>| {
        website.is_some_and(|it| {
            let seen = it.status.as_ref().and_then(|status| status.observed_generation);
            seen == it.metadata.generation && it.status.as_ref().is_some_and(is_ready)
        })
    };
    await_condition(api, "blog", is_ready_as_specified).await.map(drop)
}

/// Creates a website, waits until it is ready, deletes it and waits until it is gone.
///
/// # Errors
/// If a request fails.
pub async fn create_and_delete(
    client: Client,
    website: Website,
) -> Result<(), Box<dyn std::error::Error>> {
    let api = Api::<Website>::default_namespaced(client.clone());
    let created = api.create(&PostParams::default(), &website).await?;
    ready(client).await?;
    api.delete("blog", &DeleteParams::default()).await?;
    let uid = created.metadata.uid.unwrap_or_default();
    await_condition(api, "blog", conditions::is_deleted(&uid)).await?;
    Ok(())
}

/// Returns the roles that the operator needs from the creation to the deletion of a website.
///
/// # Errors
/// If the run fails.
pub fn permissions() -> Result<Permissions, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = builder().with_workloads().start();
        let recording = server.record();
        run_until(server.client_of(NAME), create_and_delete(server.client(), website_with_build()))
            .await?;
        // The operator watches all namespaces, although the run has used only one.
        Ok(recording.transcript().of_client(NAME).permissions(NAME).cluster_wide())
    })
}
