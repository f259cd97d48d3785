//! The calls that every kind has.

use std::fmt;

use crd_cel::kubernetes::KubernetesVersion;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use kube::api::{
    DeleteParams, GetParams, ListParams, ObjectList, Patch, PatchParams, PostParams, WatchEvent,
    WatchParams,
};
use kube::core::{ClusterResourceScope, NamespaceResourceScope};
use kube::{Client, Resource};
use serde::Serialize;
use serde_json::Value;

use super::error::{Error, ErrorKind, RequestContext};
use super::kind::{Kind, name_of, to_json, to_vec};
use super::transport::{self, found};

/// A namespaced kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is cluster-scoped",
    label = "objects of this kind have no namespace",
    note = "use `Api::cluster`, or change `cluster` to `namespaced` in `#[crd(..)]`"
)]
pub trait Namespaced: Resource<Scope = NamespaceResourceScope> {}

#[diagnostic::do_not_recommend]
impl<K: Resource<Scope = NamespaceResourceScope>> Namespaced for K {}

/// A cluster-scoped kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is namespaced",
    label = "objects of this kind have a namespace",
    note = "use `Api::namespaced`, or `Api::all_namespaces` to list and watch those of the whole cluster"
)]
pub trait ClusterScoped: Resource<Scope = ClusterResourceScope> {}

#[diagnostic::do_not_recommend]
impl<K: Resource<Scope = ClusterResourceScope>> ClusterScoped for K {}

/// The objects of a kind: those of one namespace or, for a cluster-scoped kind, all of them.
///
/// It makes the calls of [`kube::Api`] with the same parameters.
/// It differs in three points: only calls that the definition supports compile, errors are [`Error`]s, and a write
/// never silently drops fields that the Rust type does not have ([`Api::replace`], [`Api::modify`]). [`Api::kube`]
/// returns kube's own `Api`.
///
/// The errors of any call are: the server cannot be reached ([`Error::is_unreachable`], [`Error::is_tls`]), the
/// connection ends early ([`Error::is_interrupted`]), the answer is not the expected JSON, an object does not fit the
/// Rust type ([`Error::is_type_mismatch`]), or the server answers with a failure, such as [`Error::is_forbidden`] or
/// [`Error::is_too_many_requests`].
///
/// # Examples
///
/// ```no_run
/// use crd_runtime::client::{Api, Error};
/// use kube::api::PostParams;
/// # use crd_runtime::CustomResource;
/// # use serde::{Deserialize, Serialize};
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// struct ShirtSpec {
///     #[crd(selectable)]
///     color: String,
/// }
///
/// async fn blue_shirts(client: kube::Client) -> Result<usize, Error> {
///     let shirts = Api::<Shirt>::namespaced(client, "default");
///     let spec = ShirtSpec { color: "blue".to_owned() };
///     // `checked` validates the object before it is sent.
///     shirts.checked()?.create(&PostParams::default(), &Shirt::new("mine", spec)).await?;
///     // Only selectable fields compile here.
///     let blue = Shirt::fields().color().eq("blue");
///     Ok(shirts.list(&blue.into()).await?.items.len())
/// }
/// ```
#[derive(Clone)]
pub struct Api<K> {
    kube: kube::Api<K>,
    client: Client,
    kubernetes: KubernetesVersion,
}

/// The objects of a kind in all namespaces, which can be listed and watched.
#[derive(Clone)]
pub struct AllNamespaces<K>(Api<K>);

/// The events of a watch.
pub type Events<K> = BoxStream<'static, Result<WatchEvent<K>, Error>>;

/// Constructors, by the kind's scope.
impl<K: Kind> Api<K> {
    /// Returns the objects of a namespace.
    pub fn namespaced(client: Client, namespace: &str) -> Self
    where
        K: Namespaced,
    {
        Self::of(kube::Api::namespaced(client.clone(), namespace), client)
    }

    /// Returns the objects of the client's default namespace: that of the kubeconfig or the service account.
    pub fn default_namespaced(client: Client) -> Self
    where
        K: Namespaced,
    {
        Self::of(kube::Api::default_namespaced(client.clone()), client)
    }

    /// Returns the objects of all namespaces.
    pub fn all_namespaces(client: Client) -> AllNamespaces<K>
    where
        K: Namespaced,
    {
        AllNamespaces(Self::of(kube::Api::all_with(client.clone(), &()), client))
    }

    /// Returns the objects of a cluster-scoped kind.
    pub fn cluster(client: Client) -> Self
    where
        K: ClusterScoped,
    {
        Self::of(kube::Api::all_with(client.clone(), &()), client)
    }

    fn of(kube: kube::Api<K>, client: Client) -> Self {
        Self { kube, client, kubernetes: KubernetesVersion::REFERENCE }
    }

    /// Sets the server's minor: [`Api::checked`] and [`Apply::check`](super::Apply::check) validate as a server of this
    /// minor does. Default: [`KubernetesVersion::REFERENCE`].
    ///
    /// ```no_run
    /// # use crd_runtime::client::Api;
    /// # #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
    /// # #[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
    /// # struct JobSpec {}
    /// # async fn example(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// // A text such as `v1.33.4`.
    /// let version = client.apiserver_version().await?.git_version;
    /// let jobs = Api::<Job>::namespaced(client, "default").on(version.parse()?);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn on(mut self, kubernetes: KubernetesVersion) -> Self {
        self.kubernetes = kubernetes;
        self
    }
}

/// Calls.
impl<K: Kind> Api<K> {
    /// Returns kube's `Api`, which its watchers, reflectors and controllers take.
    pub const fn kube(&self) -> &kube::Api<K> {
        &self.kube
    }

    /// Returns the client that sends the requests.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the minor that [`Api::on`] has set, or else [`KubernetesVersion::REFERENCE`].
    pub const fn kubernetes(&self) -> KubernetesVersion {
        self.kubernetes
    }

    /// Returns the namespace; `None` if the kind has none.
    pub fn namespace(&self) -> Option<&str> {
        self.kube.namespace()
    }

    /// Reads an object.
    ///
    /// # Errors
    /// [`Error::is_not_found`] and the errors of any call.
    pub async fn get(&self, name: &str) -> Result<K, Error> {
        let request = self.request().get(name, &GetParams::default());
        transport::object(&self.client, &self.context("get").name(name), request).await
    }

    /// Reads an object; `None` if it does not exist.
    ///
    /// # Errors
    /// The errors of any call, except [`Error::is_not_found`].
    pub async fn get_opt(&self, name: &str) -> Result<Option<K>, Error> {
        found(self.get(name).await)
    }

    /// Reads an object as JSON, with the fields that the Rust type does not have.
    ///
    /// # Errors
    /// [`Error::is_not_found`] and the errors of any call.
    pub async fn get_raw(&self, name: &str) -> Result<Value, Error> {
        let request = self.request().get(name, &GetParams::default());
        transport::json(&self.client, &self.context("get").name(name), request).await
    }

    /// Lists objects.
    ///
    /// A [`Selector`](super::Selector) becomes parameters: `list(&selector.into())`.
    ///
    /// # Errors
    /// The errors of any call; [`Error::is_type_mismatch`] names the first object that does not fit the type, and
    /// [`Error::is_gone`] says that a continue token is too old.
    pub async fn list(&self, params: &ListParams) -> Result<ObjectList<K>, Error> {
        let context = self.context("list");
        let body = transport::send(&self.client, &context, self.request().list(params)).await?;
        match serde_json::from_slice(&body) {
            Ok(list) => Ok(list),
            Err(_) => read_list(&context, &body),
        }
    }

    /// Watches objects from a resource version on, such as that of a list.
    ///
    /// The stream ends when the server or the connection ends it. To go on without a gap, start a new watch from the
    /// resource version of the last event; `kube::runtime::watcher` does that by itself.
    ///
    /// # Errors
    /// The errors of any call. In the stream, [`Error::is_gone`] says to list again, and
    /// [`Error::is_type_mismatch`] names an object that does not fit the type.
    pub async fn watch(&self, params: &WatchParams, version: &str) -> Result<Events<K>, Error> {
        let context = self.context("watch");
        let request = self.request().watch(params, version);
        let request = request.map_err(|error| context.error(ErrorKind::request(error)))?;
        let events = self.client.request_events::<Value>(request).await;
        let events = events.map_err(|error| context.kube(error))?;
        Ok(typed(context, events))
    }

    /// Creates an object.
    ///
    /// # Errors
    /// [`Error::is_already_exists`], [`Error::is_invalid`] and the errors of any call.
    pub async fn create(&self, params: &PostParams, object: &K) -> Result<K, Error> {
        let context = self.context("create").name(&name_of(object));
        let body = to_vec(&context, &to_json(&context, object)?)?;
        transport::object(&self.client, &context, self.request().create(params, body)).await
    }

    /// Patches an object.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`], [`Error::is_invalid`] and the errors of any call.
    pub async fn patch<P: Serialize + fmt::Debug>(
        &self,
        name: &str,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<K, Error> {
        let verb = if matches!(patch, Patch::Apply(_)) { "apply" } else { "patch" };
        let context = self.context(verb).name(name);
        let request = self.request().patch(name, params, patch);
        transport::object(&self.client, &context, request).await
    }

    /// Deletes an object. Returns `None` if it is gone, and the object if finalizers still keep it.
    ///
    /// # Errors
    /// [`Error::is_not_found`], [`Error::is_conflict`] if preconditions do not hold, and the errors of any call.
    pub async fn delete(&self, name: &str, params: &DeleteParams) -> Result<Option<K>, Error> {
        let context = self.context("delete").name(name);
        let request = self.request().delete(name, params);
        let answer: Value = transport::json(&self.client, &context, request).await?;
        if answer.get("kind").and_then(Value::as_str) == Some("Status") {
            return Ok(None);
        }
        let object: K = transport::deserialize(&context, &answer)?;
        // Without finalizers the server answers with the object as it was.
        let kept = object.meta().finalizers.as_ref().is_some_and(|names| !names.is_empty());
        Ok(kept.then_some(object))
    }

    /// Deletes the objects that `selected` selects, each with the options in `params`.
    ///
    /// # Errors
    /// The errors of any call.
    pub async fn delete_collection(
        &self,
        params: &DeleteParams,
        selected: &ListParams,
    ) -> Result<(), Error> {
        let request = self.request().delete_collection(params, selected);
        let context = self.context("deletecollection");
        transport::send(&self.client, &context, request).await.map(drop)
    }

    pub(super) fn request(&self) -> kube::core::Request {
        kube::core::Request::new(self.kube.resource_url())
    }

    pub(super) fn context(&self, verb: &'static str) -> RequestContext {
        RequestContext::of::<K>(verb).namespace(self.namespace())
    }
}

impl<K: Kind> AllNamespaces<K> {
    /// Returns kube's `Api`, which its watchers, reflectors and controllers take.
    pub const fn kube(&self) -> &kube::Api<K> {
        &self.0.kube
    }

    /// Returns the objects of one namespace.
    #[must_use]
    pub fn namespace(&self, namespace: &str) -> Api<K>
    where
        K: Namespaced,
    {
        Api::namespaced(self.0.client.clone(), namespace).on(self.0.kubernetes)
    }

    /// Lists objects, as [`Api::list`] does.
    ///
    /// # Errors
    /// Those of [`Api::list`].
    pub async fn list(&self, params: &ListParams) -> Result<ObjectList<K>, Error> {
        self.0.list(params).await
    }

    /// Watches objects, as [`Api::watch`] does.
    ///
    /// # Errors
    /// Those of [`Api::watch`].
    pub async fn watch(&self, params: &WatchParams, version: &str) -> Result<Events<K>, Error> {
        self.0.watch(params, version).await
    }
}

/// Reads the objects in the events of a watch as the Rust type.
fn typed<K: Kind>(
    context: RequestContext,
    events: impl Stream<Item = kube::Result<WatchEvent<Value>>> + Send + 'static,
) -> Events<K> {
    let event = move |event: kube::Result<WatchEvent<Value>>| {
        let deserialize = |object: Value| transport::deserialize(&context, &object);
        Ok(match event.map_err(|error| context.kube(error))? {
            WatchEvent::Added(object) => WatchEvent::Added(deserialize(object)?),
            WatchEvent::Modified(object) => WatchEvent::Modified(deserialize(object)?),
            WatchEvent::Deleted(object) => WatchEvent::Deleted(deserialize(object)?),
            WatchEvent::Bookmark(bookmark) => WatchEvent::Bookmark(bookmark),
            WatchEvent::Error(status) => return Err(context.kube(kube::Error::Api(status))),
        })
    };
    events.map(event).boxed()
}

/// Reads a list. The error names the first object that does not fit the type.
fn read_list<K: Kind>(context: &RequestContext, body: &[u8]) -> Result<ObjectList<K>, Error> {
    let list: ObjectList<Value> = transport::parse(context, body)?;
    let ObjectList { types, metadata, items } = list;
    let items = items
        .iter()
        .map(|object| transport::deserialize(context, object))
        .collect::<Result<_, _>>()?;
    Ok(ObjectList { types, metadata, items })
}

impl<K> fmt::Debug for Api<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Api").field(&self.kube).finish()
    }
}

impl<K> fmt::Debug for AllNamespaces<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AllNamespaces").field(&self.0.kube).finish()
    }
}
