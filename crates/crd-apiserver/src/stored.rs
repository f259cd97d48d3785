//! Objects that a test stores and reads directly, without a client.

use std::sync::Arc;

use http::header::CONTENT_TYPE;
use http::{Method, Request};
use kube::Resource;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::core::{Core, commit};
use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::reply::Reply;
use super::{
    ApiServer, ApiServerBuilder, StatusError, api_services, authorization, discovery, handler,
    metadata, namespaces,
};
use crate::admit::FieldValidation;

impl ApiServerBuilder {
    /// Stores an object of any kind that is served as it is, with its status, its uid and its timestamps. Missing ones
    /// are generated, and defaults are set. A namespaced object without a namespace is stored in `default`; its
    /// namespace is created if it does not exist. The object is not validated, and no webhook is called.
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use k8s_openapi::api::apps::v1::Deployment;
    /// use serde_json::json;
    ///
    /// let server = ApiServer::builder().with_stored(&json!({
    ///     "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "prod"},
    ///     "spec": {"replicas": 3}, "status": {"readyReplicas": 2},
    /// })).start();
    /// let web: Deployment = server.get("prod", "web")?;
    /// assert_eq!(web.status.unwrap().ready_replicas, Some(2));
    /// # Ok::<(), crd_apiserver::StatusError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the server does not serve the kind, or if the object has no name or cannot be decoded.
    #[track_caller]
    pub fn with_stored(self, object: &(impl Serialize + ?Sized)) -> Self {
        if let Err(why) = self.0.store(object) {
            panic!("{why}");
        }
        self
    }
}

impl ApiServer {
    /// Creates an object as a client without a user, and runs the controllers. A namespaced object without a namespace
    /// is created in `default`. No webhook is called, neither for the object nor for what controllers do because of it.
    ///
    /// # Errors
    /// Returns the error of the server, and one with the code 404 if it does not serve the kind.
    pub fn create(&self, object: &(impl Serialize + ?Sized)) -> Result<(), StatusError> {
        let object = serde_json::to_value(object).map_err(|error| unwritable(&error))?;
        let path = {
            let core = &self.shared.lock().core;
            let kind = kind_of(core, &object)?;
            let (version, plural) = (kind.api_version(), &kind.names.plural);
            let root = if kind.group.is_empty() { "/api" } else { "/apis" };
            if kind.namespaced {
                let namespace = metadata::text(&object, "namespace");
                let namespace = if namespace.is_empty() { "default" } else { namespace };
                format!("{root}/{version}/namespaces/{namespace}/{plural}")
            } else {
                format!("{root}/{version}/{plural}")
            }
        };
        self.ask(&Method::POST, &path, &object.to_string())?;
        Ok(())
    }

    /// Stores an object as [`with_stored`](ApiServerBuilder::with_stored) does, in place of one with its name, whose uid,
    /// generation and time of creation it has unless it names others; then runs the controllers.
    ///
    /// # Errors
    /// Returns an error if the server does not serve the kind, or if the object has no name or cannot be decoded.
    pub fn store(&self, object: &(impl Serialize + ?Sized)) -> Result<(), StatusError> {
        let object = serde_json::to_value(object).map_err(|error| unwritable(&error))?;
        Ok(self.shared.act(|core| store_as_it_is(core, &object))?)
    }

    /// Returns a stored object. `namespace` is empty for objects without one.
    ///
    /// # Errors
    /// Returns an error with the code 404 if there is no such object, and with the code 500 if it cannot be decoded.
    pub fn get<K>(&self, namespace: &str, name: &str) -> Result<K, StatusError>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        self.read(&path::<K>(namespace, name))
    }

    /// Returns all stored objects of a kind in a namespace, or in all namespaces if `namespace` is empty.
    ///
    /// # Errors
    /// Returns an error with the code 404 if the kind is not served, and with the code 500 if an object cannot be
    /// decoded.
    pub fn list<K>(&self, namespace: &str) -> Result<Vec<K>, StatusError>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let list: Value = self.read(&collection::<K>(namespace))?;
        let items = list.get("items").and_then(Value::as_array).into_iter().flatten();
        items.map(|item| decoded(item.clone())).collect()
    }

    /// Merges a patch into a stored object, as a client does with a JSON merge patch, and runs the controllers. Returns
    /// the new object. No webhook is called.
    ///
    /// # Errors
    /// Returns the error of the server, and an error with the code 500 if the new object cannot be decoded.
    pub fn patch<K>(&self, namespace: &str, name: &str, patch: &Value) -> Result<K, StatusError>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        self.merge(&path::<K>(namespace, name), patch)
    }

    /// Merges a patch into the status of a stored object, as [`patch`](Self::patch) does into the object.
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use k8s_openapi::api::core::v1::Pod;
    /// use serde_json::json;
    ///
    /// let server = ApiServer::builder().with_object(&json!({
    ///     "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
    ///     "spec": {"containers": [{"name": "c", "image": "i"}]},
    /// })).start();
    /// let running = json!({"status": {"phase": "Running"}});
    /// let pod: Pod = server.patch_status("default", "a", &running)?;
    /// assert_eq!(pod.status.unwrap().phase.as_deref(), Some("Running"));
    /// server.delete::<Pod>("default", "a")?;
    /// assert_eq!(server.list::<Pod>("default")?, []);
    /// # Ok::<(), crd_apiserver::StatusError>(())
    /// ```
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    pub fn patch_status<K>(
        &self,
        namespace: &str,
        name: &str,
        patch: &Value,
    ) -> Result<K, StatusError>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        self.merge(&format!("{}/status", path::<K>(namespace, name)), patch)
    }

    /// Deletes a stored object as a client does that gives no options, and runs the controllers. No webhook is called.
    ///
    /// # Errors
    /// Returns the error of the server.
    pub fn delete<K>(&self, namespace: &str, name: &str) -> Result<(), StatusError>
    where
        K: Resource<DynamicType = ()>,
    {
        self.ask(&Method::DELETE, &path::<K>(namespace, name), "")?;
        Ok(())
    }

    /// Creates the objects that every cluster has besides its namespaces: the default roles, the service of the server
    /// itself, the statuses of its components, and an `APIService` for each version of a group that is served, now or later.
    pub fn create_cluster_objects(&self) {
        self.create_all(&authorization::default_objects());
        let served = {
            let mut state = self.shared.lock();
            state.controllers.registers_versions = true;
            discovery::served(&state.core)
        };
        let versions = served.into_iter().flat_map(|(group, versions)| {
            let object = move |version: String| api_services::object(&group, &version, None);
            versions.into_iter().filter_map(object)
        });
        let versions: Vec<Value> = versions.collect();
        let labels = json!({"component": "apiserver", "provider": "kubernetes"});
        let port = json!({"name": "https", "port": 443, "protocol": "TCP", "targetPort": 6443});
        self.create_all(&versions);
        for component in ["controller-manager", "etcd-0", "scheduler"] {
            let healthy = json!({"type": "Healthy", "status": "True", "message": "ok"});
            let stored = self.store(&json!({
                "apiVersion": "v1", "kind": "ComponentStatus", "metadata": {"name": component},
                "conditions": [healthy],
            }));
            debug_assert!(stored.is_ok(), "{stored:?}");
        }
        self.create_all(&[json!({
            "apiVersion": "v1", "kind": "Service",
            "metadata": {"name": "kubernetes", "namespace": "default", "labels": labels},
            "spec": {"clusterIP": "10.96.0.1", "ports": [port]},
        })]);
    }

    fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, StatusError> {
        decoded(object_of(self.ask(&Method::GET, path, "")?)?)
    }

    fn merge<T: DeserializeOwned>(&self, path: &str, patch: &Value) -> Result<T, StatusError> {
        decoded(object_of(self.ask(&Method::PATCH, path, &patch.to_string())?)?)
    }

    /// Sends a request without a client, and runs the controllers.
    fn ask(&self, method: &Method, path: &str, body: &str) -> Answer<Reply> {
        self.shared.act(|core| {
            let request = Request::builder().method(method).uri(path);
            let request = match method {
                &Method::PATCH => request.header(CONTENT_TYPE, "application/merge-patch+json"),
                _ => request,
            };
            let request = request.body(body.as_bytes().to_vec());
            let request = request.map_err(|error| Failure::bad_request(error.to_string()))?;
            handler::route(core, &request, &mut Vec::new())
        })
    }
}

/// Returns the path of a kind in a namespace, or in all namespaces if `namespace` is empty.
fn collection<K: Resource<DynamicType = ()>>(namespace: &str) -> String {
    K::url_path(&(), Some(namespace).filter(|namespace| !namespace.is_empty()))
}

fn path<K: Resource<DynamicType = ()>>(namespace: &str, name: &str) -> String {
    format!("{}/{name}", collection::<K>(namespace))
}

fn object_of(reply: Reply) -> Answer<Value> {
    match reply {
        Reply::Object { value, .. } => Ok(value.into_value()),
        _ => Err(Failure::no_such_route()),
    }
}

fn decoded<T: DeserializeOwned>(value: Value) -> Result<T, StatusError> {
    serde_json::from_value(value).map_err(|error| Failure::bare(error.to_string()).into())
}

fn unwritable(error: &serde_json::Error) -> Failure {
    Failure::bad_request(error.to_string())
}

/// Returns the kind of an object, if it is served.
fn kind_of(core: &Core, object: &Value) -> Answer<Arc<ServedKind>> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let (version, kind) = (text("apiVersion"), text("kind"));
    let found = core.catalog.find_kind(version, kind).cloned();
    found.ok_or_else(|| {
        let mut failure = Failure::no_such_route();
        failure.message = format!("no kind `{kind}` of `{version}` is served");
        failure
    })
}

/// Stores an object without admission.
fn store_as_it_is(core: &mut Core, object: &Value) -> Answer<()> {
    let kind = kind_of(core, object)?;
    let mut object = kind
        .coerce_object(
            object.clone(),
            Vec::new(),
            FieldValidation::Ignore,
            core.catalog.kubernetes,
            &mut Vec::new(),
        )
        .map_err(Failure::bare)?;
    let name = metadata::text(&object, "name").to_owned();
    if name.is_empty() {
        return Err(Failure::bare("an object that is stored needs `metadata.name`"));
    }
    if kind.namespaced && metadata::text(&object, "namespace").is_empty() {
        metadata::set_text(&mut object, "namespace", "default");
    }
    let namespace = metadata::text(&object, "namespace").to_owned();
    if kind.namespaced && core.store.get(namespaces::RESOURCE, &namespace).is_none() {
        let space =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        store_as_it_is(core, &space)?;
    }
    if let (namespaces::RESOURCE, Value::Object(map)) = (&*kind.storage, &mut object) {
        let status = map.get("status").cloned();
        namespaces::prepare(map);
        if let Some(status) = status.filter(|status| status.get("phase").is_some()) {
            map.insert("status".to_owned(), status);
        }
    }
    let key = kind.key(&namespace, &name);
    let (now, uid) = (core.clock.text(), core.ids.uid());
    // An object that replaces another one is the same object.
    let known = core.store.get(&kind.storage, &key).map(|stored| stored.object());
    let known = |field: &str| metadata::of(known.as_ref()?)?.get(field).cloned();
    let metadata = metadata::of_mut(&mut object);
    for (key, value) in [("creationTimestamp", now), ("uid", uid)] {
        if metadata::is_unset(metadata.get(key)) {
            metadata.insert(key.to_owned(), known(key).unwrap_or_else(|| value.into()));
        }
    }
    if kind.has_generation(core.catalog.kubernetes.minor()) {
        metadata.entry("generation").or_insert_with(|| known("generation").unwrap_or(1.into()));
    }
    let stored = kind.to_stored(object)?;
    commit(core, &kind, &key, stored).map(drop)
}
