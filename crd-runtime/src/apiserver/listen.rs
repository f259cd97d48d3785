//! The server on a socket of the machine's own.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::ApiServer;
use super::arrival::Caller;
use super::service::{ApiService, Shared};
use super::user::User;

/// A server that listens, until this is dropped.
#[derive(Debug)]
#[must_use = "the server stops listening when this is dropped"]
pub struct Listening {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl ApiServer {
    /// Listens on a free port of the loopback interface, without TLS.
    ///
    /// # Errors
    /// Where there is no port.
    pub async fn listen(&self) -> io::Result<Listening> {
        self.listen_on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Listens on an address, without TLS and without authentication: whoever reaches it may do all.
    ///
    /// # Errors
    /// Where the address is taken.
    pub async fn listen_on(&self, address: SocketAddr) -> io::Result<Listening> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(accept(listener, Arc::clone(&self.shared)));
        Ok(Listening { address, task })
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files: others have to be closed first.
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            continue;
        };
        // Events of a watch are small, and each is waited for.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(ApiService {
            shared: Arc::clone(&shared),
            caller: Caller::default(),
        });
        tokio::spawn(async move {
            // What a connection ends by is the client's to tell.
            let _ = Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

impl Listening {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the server.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A kubeconfig by which `kubectl` finds the server.
    #[must_use]
    pub fn kubeconfig(&self) -> String {
        self.kubeconfig_of(&json!({}))
    }

    /// A kubeconfig by which `kubectl` acts as a user, as with `kubectl --as`.
    #[must_use]
    pub fn kubeconfig_as(&self, user: impl Into<User>) -> String {
        let user = user.into();
        self.kubeconfig_of(&json!({"as": user.name(), "as-groups": user.groups()}))
    }

    fn kubeconfig_of(&self, user: &Value) -> String {
        let config: Value = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "crd",
            "clusters": [{"name": "crd", "cluster": {"server": self.url()}}],
            "users": [{"name": "crd", "user": user}],
            "contexts": [{"name": "crd", "context": {"cluster": "crd", "user": "crd", "namespace": "default"}}],
        });
        crate::yaml::to_string(&config)
    }

    /// Waits for the end, which does not come by itself.
    pub async fn wait(mut self) {
        let _ = (&mut self.task).await;
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}
