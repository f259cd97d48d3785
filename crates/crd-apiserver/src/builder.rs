//! The settings of a server, and the objects that it starts with.

use std::sync::Arc;
use std::time::SystemTime;

use crd_cel::kubernetes::KubernetesVersion;
use serde::Serialize;

use super::convert::Converter;
use super::model::Manifest;
use super::server::State;
use super::source::{Ids, TimeSource};
use super::{ApiServer, Snapshot, Storage, controllers};

/// A server that has not started yet. Its methods set what cannot change while clients use it.
///
/// ```
/// use crd_apiserver::ApiServer;
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use serde_json::json;
///
/// let server = ApiServer::builder()
///     .kubernetes("1.34".parse()?)
///     .with_object(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}}))
///     .start();
/// assert_eq!(server.list::<ConfigMap>("default")?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the server is there after `start`"]
pub struct ApiServerBuilder(pub(super) ApiServer);

impl ApiServerBuilder {
    /// Starts the server.
    #[must_use]
    pub fn start(self) -> ApiServer {
        self.0
    }

    /// Returns the server that will start, for webhooks, converters and APIs that are its clients themselves.
    #[must_use]
    pub fn handle(&self) -> ApiServer {
        self.0.clone()
    }

    /// Stores the objects of a snapshot in place of all others, as a [restart](ApiServer::restart) with
    /// [`Storage::Restored`] does. It is much faster than creating a definition and its objects again for each test.
    pub fn with_snapshot(self, snapshot: Snapshot) -> Self {
        self.0.restart(Storage::Restored(snapshot));
        self
    }

    /// Creates a `CustomResourceDefinition`, whose resources are served at once.
    ///
    /// # Panics
    /// Panics with the message of the server if the server rejects the object.
    #[track_caller]
    pub fn with(self, crd: &(impl Manifest + Serialize)) -> Self {
        match serde_json::to_value(crd) {
            Ok(crd) => self.with_object(&crd),
            Err(error) => panic!("the definition cannot be written: {error}"),
        }
    }

    /// Creates an object of any kind that is served. A namespaced object without a namespace is created in `default`.
    /// No webhook is called.
    ///
    /// # Panics
    /// Panics if the server does not serve the kind, and with the message of the server if it rejects the object.
    #[track_caller]
    pub fn with_object(self, object: &(impl Serialize + ?Sized)) -> Self {
        if let Err(why) = self.0.create(object) {
            panic!("{why}");
        }
        self
    }

    /// Uses a [`Converter`] for a kind whose definition names a conversion webhook, instead of calling the webhook.
    pub fn converter(self, group: &str, kind: &str, converter: Converter) -> Self {
        let mut state = self.0.shared.lock();
        let State { core, controllers } = &mut *state;
        controllers.converters.insert((group.to_owned(), kind.to_owned()), Arc::new(converter));
        controllers::redefine(controllers, core);
        self.0.shared.settle(state);
        self
    }

    /// Answers as the API server of this minor version of Kubernetes does. The default is
    /// [`KubernetesVersion::REFERENCE`].
    ///
    /// ```
    /// use crd_runtime::KubernetesVersion;
    /// use crd_apiserver::ApiServer;
    ///
    /// # tokio_test(async {
    /// let version: KubernetesVersion = "1.33".parse()?;
    /// let server = ApiServer::builder().kubernetes(version).start();
    /// assert_eq!(server.client().apiserver_version().await?.minor, "33");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # });
    /// # fn tokio_test(test: impl Future<Output = Result<(), Box<dyn std::error::Error>>>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
    /// # }
    /// ```
    ///
    /// Definitions that are already stored are served by the rules of the new version, but are not validated again.
    pub fn kubernetes(self, version: KubernetesVersion) -> Self {
        let mut state = self.0.shared.lock();
        let State { core, controllers } = &mut *state;
        // Expressions are compiled for the version.
        (core.policies, core.webhooks) = Default::default();
        core.catalog.kubernetes = version;
        controllers::redefine(controllers, core);
        self.0.shared.settle(state);
        self
    }

    /// Sets the seed from which UIDs and the suffixes of generated names are derived. The default is 0.
    pub fn seed(self, seed: u64) -> Self {
        self.0.shared.lock().core.ids = Ids::new(seed);
        self
    }

    /// Sets the clock that timestamps are taken from. The default is the system's time when the server is created, plus
    /// the time that has passed since then on tokio's clock. Timeouts always use tokio's clock.
    pub fn clock(self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.0.shared.set_time_source(TimeSource(Arc::new(now)));
        self
    }

    /// Disables garbage collection, the emptying of deleted namespaces and the aggregation of `ClusterRole`s, as in a
    /// cluster without kube-controller-manager.
    pub fn without_controllers(self) -> Self {
        self.0.shared.lock().controllers.runs = controllers::Runs::Never;
        self
    }

    /// Lets controllers act only when [`ApiServer::run_controllers`] is called: garbage is collected, namespaces are
    /// emptied and workloads succeed later than the request that they follow from, as in a cluster.
    pub fn with_manual_controllers(self) -> Self {
        self.0.shared.lock().controllers.runs = controllers::Runs::OnDemand;
        self
    }

    /// Enables authorization by roles and bindings. Without it, every user may do everything.
    ///
    /// The server then has the cluster roles `cluster-admin`, bound to `system:masters`; `system:discovery` and
    /// `system:basic-user`, bound to all authenticated users; `system:public-info-viewer`, bound to all users; and
    /// `admin`, `edit` and `view`, which have rules on built-in kinds and aggregate those of cluster roles that are
    /// labelled for them.
    /// [`ApiServer::client`] keeps all permissions; [`ApiServer::client_as`] returns clients of other users.
    /// Match conditions of webhooks that ask `authorizer` get the same decisions.
    ///
    /// ```
    /// use crd_apiserver::{ApiServer, User};
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kube::api::{Api, ListParams};
    /// use serde_json::json;
    ///
    /// # tokio_test(async {
    /// let server = ApiServer::builder().authorize().with_object(&json!({
    ///     "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
    ///     "metadata": {"name": "reader", "namespace": "default"},
    ///     "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}],
    /// })).with_object(&json!({
    ///     "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
    ///     "metadata": {"name": "reader", "namespace": "default"},
    ///     "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
    ///     "subjects": [{"kind": "ServiceAccount", "name": "operator", "namespace": "prod"}],
    /// })).start();
    /// let client = server.client_as(User::service_account("prod", "operator"));
    /// let here: Api<ConfigMap> = Api::namespaced(client.clone(), "default");
    /// here.list(&ListParams::default()).await?;
    /// let elsewhere: Api<ConfigMap> = Api::namespaced(client, "prod");
    /// let rejected = elsewhere.list(&ListParams::default()).await.unwrap_err().to_string();
    /// assert!(rejected.contains(
    ///     "User \"system:serviceaccount:prod:operator\" cannot list resource \"configmaps\" in API group \"\" in the \
    ///      namespace \"prod\""
    /// ));
    /// # Ok::<(), kube::Error>(())
    /// # });
    /// # fn tokio_test(test: impl Future<Output = Result<(), kube::Error>>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
    /// # }
    /// ```
    pub fn authorize(self) -> Self {
        self.0.shared.lock().core.authorizes = true;
        self.0.make_roles();
        self
    }
}
