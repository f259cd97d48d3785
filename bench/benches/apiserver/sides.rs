//! The servers that are compared: the API server of tests, a service with one fixed answer, and a real kube-apiserver.

use std::path::Path;
use std::time::Duration;

use crd_examples::crontab::{CronTab, CronTabSpec};
use crd_runtime::CustomResource as _;
use crd_apiserver::ApiServer;
use http::{Request, Response, StatusCode};
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::json;

/// The most times that a real server is asked whether it serves the kind.
const TRIES: u32 = 100;

/// Returns an API server of tests with the kind.
pub(crate) fn server() -> ApiServer {
    ApiServer::builder().with(&CronTab::crd()).start()
}

/// The objects in the namespace `default`.
pub(crate) fn crontabs(client: &Client) -> Api<CronTab> {
    Api::namespaced(client.clone(), "default")
}

/// Returns the `CronTab` of the Kubernetes documentation, with this name.
pub(crate) fn crontab(name: &str) -> CronTab {
    let spec = CronTabSpec {
        cron_spec: "* * * * */5".to_owned(),
        image: Some("my-awesome-cron-image".to_owned()),
        replicas: 1,
    };
    CronTab::new(name, spec)
}

/// The parameters of writes.
pub(crate) fn params() -> PostParams {
    PostParams { field_manager: Some("bench".to_owned()), ..PostParams::default() }
}

/// Returns a client that gets the answer to the creation of one object for every request, so that only the work of
/// kube's client is measured.
pub(crate) async fn canned() -> Result<Client, String> {
    let client = server().client();
    let created = crontabs(&client).create(&params(), &crontab("object-000000")).await;
    let created = created.map_err(|error| error.to_string())?;
    let body = serde_json::to_vec(&created).map_err(|error| error.to_string())?;
    let answer = tower::service_fn(move |request: Request<Body>| {
        let body = body.clone();
        async move {
            // Reads the body, as a server does.
            let _ = request.into_body().collect_bytes().await;
            let response = Response::builder()
                .status(StatusCode::CREATED)
                .header("content-type", "application/json")
                .body(Body::from(body));
            response.map_err(|error| error.to_string())
        }
    });
    Ok(Client::new(answer, "default"))
}

/// Returns the JSON of a stored object, as the server answers it.
pub(crate) async fn stored(api: &Api<CronTab>, name: &str) -> Result<String, String> {
    let path = format!("/apis/stable.example.com/v1/namespaces/default/crontabs/{name}");
    let request = Request::get(path).body(Vec::new()).map_err(|error| error.to_string())?;
    let text = api.clone().into_client().request_text(request).await;
    Ok(text.map_err(|error| error.to_string())?.trim_end().to_owned())
}

/// A real kube-apiserver that serves the kind and has no objects of it.
pub(crate) struct Real {
    pub(crate) client: Client,
}

impl Real {
    /// Connects by a kubeconfig, creates the definition, waits until it is served, and deletes all objects of the
    /// kind.
    pub(crate) async fn connect(kubeconfig: &Path) -> Result<Self, String> {
        let read = Kubeconfig::read_from(kubeconfig).map_err(|error| error.to_string())?;
        let config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await;
        let client = Client::try_from(config.map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())?;
        let request = Request::post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
            .header("content-type", "application/json")
            .body(json!(CronTab::definition()).to_string().into_bytes())
            .map_err(|error| error.to_string())?;
        match client.request::<serde_json::Value>(request).await {
            Ok(_) => {}
            Err(kube::Error::Api(status)) if status.reason == "AlreadyExists" => {}
            Err(error) => return Err(error.to_string()),
        }
        let real = Self { client };
        for _ in 0..TRIES {
            if crontabs(&real.client).list(&ListParams::default().limit(1)).await.is_ok() {
                real.empty().await?;
                return Ok(real);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("the real server does not serve the kind".to_owned())
    }

    /// Deletes all objects of the kind.
    pub(crate) async fn empty(&self) -> Result<(), String> {
        let api = crontabs(&self.client);
        let deleted = api.delete_collection(&DeleteParams::default(), &ListParams::default()).await;
        deleted.map(drop).map_err(|error| error.to_string())
    }
}
