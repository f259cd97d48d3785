#[path = "../../cache.rs"]
mod cache;

use std::sync::Arc;
use std::time::Duration;

pub use cache::*;
use futures::StreamExt as _;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Api, Client, ResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind by kube's derive, in the same program.
#[derive(kube::CustomResource, Debug, Serialize, Deserialize, Default, Clone, JsonSchema)]
#[kube(group = "kube.rs", version = "v1", kind = "Document", namespaced)]
pub struct DocumentSpec {
    pub title: String,
    pub content: String,
}

/// A controller on kube's runtime: changes of documents make it look at caches again.
pub async fn run(client: Client) {
    let caches = Api::<Cache>::all(client.clone());
    let documents = Api::<Document>::all(client.clone());
    let reconcile = |cache: Arc<Cache>, client: Arc<Client>| async move {
        let namespace = cache.namespace().unwrap_or_default();
        let peers = Api::<Cache>::namespaced((*client).clone(), &namespace);
        let found = peers.list(&kube::api::ListParams::default()).await?.items.len();
        Ok::<_, kube::Error>(Action::requeue(Duration::from_secs(60 + found as u64)))
    };
    Controller::new(caches, watcher::Config::default())
        .owns(documents, watcher::Config::default())
        .run(reconcile, |_, _, _| Action::await_change(), Arc::new(client))
        .for_each(|_| async {})
        .await;
}

/// Compiles only if the kube that `crd_runtime` exports is the kube in the manifest of this package.
pub fn namespaced() -> (fn(crd_runtime::kube::Client, &str) -> Api<Cache>, String) {
    (Api::namespaced, <Document as crd_runtime::kube::CustomResourceExt>::crd_name().to_owned())
}
