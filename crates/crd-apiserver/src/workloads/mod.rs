//! Simulates workloads: writes the statuses that the controllers and kubelets of a cluster write.

mod budgets;
mod owned;
mod pods;
mod sets;
mod storage;

use std::sync::Arc;

use http::{Request, header};
use serde_json::{Map, Value, json};

use self::owned::Pods;
use super::core::Core;
use super::failure::{Answer, Failure, GroupResource};
use super::labels::LabelSelector;
use super::query::DeleteOptions;
use super::store::{Store, StoreEvent};
use super::update::CONTROLLER_MANAGER;
use super::user::User;
use super::work::{ObjectKey, Work, WorkQueue};
use super::{ApiServer, ApiServerBuilder, delete, fields, handler, metadata};
use crate::json;

/// Simulates the controllers and kubelets of a cluster by setting the status of workloads as they would.
///
/// Each call sets the status once. These writes are not requests of a client: they are neither counted nor recorded, no
/// fault applies to them, and they call no webhooks. For an object that does not exist, the `code` of the error is 404.
///
/// ```
/// use crd_apiserver::ApiServer;
/// use k8s_openapi::api::apps::v1::Deployment;
/// use kube::api::Api;
/// use serde_json::json;
///
/// # tokio_test(async {
/// let server = ApiServer::builder().with_stored(&json!({
///     "apiVersion": "apps/v1", "kind": "Deployment",
///     "metadata": {"name": "web", "namespace": "default", "generation": 1}, "spec": {"replicas": 3},
/// })).start();
/// server.workloads().deployment_available("default", "web")?;
///
/// let api: Api<Deployment> = Api::namespaced(server.client(), "default");
/// let status = api.get("web").await?.status.unwrap();
/// assert_eq!((status.available_replicas, status.observed_generation), (Some(3), Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # });
/// # fn tokio_test(test: impl Future<Output = Result<(), Box<dyn std::error::Error>>>) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Workloads(ApiServer);

/// The error of a request that the server rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatusError {
    /// The HTTP status.
    pub code: u16,
    /// The machine-readable reason, such as `NotFound`.
    pub reason: String,
    /// The message of the server.
    pub message: String,
}

impl std::fmt::Display for StatusError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StatusError {}

impl From<Failure> for StatusError {
    fn from(failure: Failure) -> Self {
        Self {
            code: failure.code.as_u16(),
            reason: failure.reason.into_owned(),
            message: failure.message,
        }
    }
}

/// The group and the plural name of a resource.
type Resource = (&'static str, &'static str);

const DEPLOYMENTS: Resource = ("apps", "deployments");
const REPLICA_SETS: Resource = ("apps", "replicasets");
const STATEFUL_SETS: Resource = ("apps", "statefulsets");
const DAEMON_SETS: Resource = ("apps", "daemonsets");
const JOBS: Resource = ("batch", "jobs");
const PODS: Resource = ("", "pods");
const CLAIMS: Resource = ("", "persistentvolumeclaims");
const SERVICES: Resource = ("", "services");
const BUDGETS: Resource = ("policy", "poddisruptionbudgets");
/// The workloads that are simulated.
const WORKLOADS: [Resource; 8] =
    [DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS, PODS, CLAIMS, SERVICES];
/// The name of the node that pods are bound to.
const NODE: &str = "node";

/// What is simulated after each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Simulation {
    None,
    /// Workloads report success.
    Statuses,
    /// Workloads have pods, too.
    Pods,
}

impl ApiServer {
    /// Returns a handle that sets the status of single workloads.
    #[must_use]
    pub fn workloads(&self) -> Workloads {
        Workloads(self.clone())
    }
}

impl ApiServerBuilder {
    /// Simulates a cluster in which all workloads succeed at once: after each request, Deployments, `ReplicaSet`s,
    /// `StatefulSet`s and `DaemonSet`s (on one node) are available, Jobs are complete, Pods are ready or, if a Job has made
    /// them, have succeeded, `PersistentVolumeClaim`s are bound, load balancers have the address `192.0.2.1`, disruption budgets count the Pods
    /// that they select, and Pods that are being deleted end. The default is to do none of this.
    ///
    /// Use [`ApiServer::workloads`] to set the status of single workloads instead.
    pub fn with_workloads(self) -> Self {
        self.simulating(Simulation::Statuses)
    }

    /// Simulates a cluster as [`with_workloads`](Self::with_workloads) does, in which workloads have Pods: Deployments
    /// have a `ReplicaSet` for each template, and `StatefulSet`s have claims. Pods that are deleted, have failed or have an
    /// old template are replaced, as the strategy of their workload says. Pods are bound to a node with the name `node`. The
    /// statuses of workloads count the Pods that exist, for example fewer if a webhook rejects them. A workload has at most
    /// 500 Pods.
    ///
    /// The names of Pods follow from those of their workloads, so that they are the same in each run.
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use k8s_openapi::api::apps::v1::Deployment;
    /// use k8s_openapi::api::core::v1::Pod;
    /// use serde_json::json;
    ///
    /// let labels = json!({"app": "web"});
    /// let server = ApiServer::builder().with_pods().with_object(&json!({
    ///     "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
    ///     "spec": {
    ///         "replicas": 2, "selector": {"matchLabels": labels},
    ///         "template": {
    ///             "metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "nginx:1.29"}]},
    ///         },
    ///     },
    /// })).start();
    /// assert_eq!(server.list::<Pod>("default")?.len(), 2);
    /// server.patch::<Deployment>("default", "web", &json!({"spec": {"replicas": 1}}))?;
    /// assert_eq!(server.list::<Pod>("default")?.len(), 1);
    /// # Ok::<(), crd_apiserver::StatusError>(())
    /// ```
    pub fn with_pods(self) -> Self {
        self.simulating(Simulation::Pods)
    }

    fn simulating(self, simulation: Simulation) -> Self {
        let mut guard = self.0.shared.lock();
        let state = &mut *guard;
        state.controllers.simulation = simulation;
        let (queue, store) = (&mut state.controllers.queue, &state.core.store);
        for resource in WORKLOADS {
            owe_all(queue, store, resource, "", Work::Workload);
        }
        owe_all(queue, store, BUDGETS, "", Work::Budget);
        self.0.shared.settle(guard);
        self
    }
}

impl Workloads {
    /// Sets the status of a Deployment whose pods all run the newest template and are available.
    ///
    /// # Errors
    /// Returns an error if the Deployment does not exist.
    pub fn deployment_available(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        self.write(DEPLOYMENTS, namespace, name, |object, now| {
            sets::deployment(object, all(object), now)
        })
    }

    /// Sets the status of a Deployment whose pods exist, but none is available.
    ///
    /// # Errors
    /// Returns an error if the Deployment does not exist.
    pub fn deployment_unavailable(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        let none = |object: &Value| Pods { ready: 0, ..all(object) };
        self.write(DEPLOYMENTS, namespace, name, |object, now| {
            sets::deployment(object, none(object), now)
        })
    }

    /// Sets the status of a `StatefulSet` whose pods all run the newest revision and are ready.
    ///
    /// # Errors
    /// Returns an error if the `StatefulSet` does not exist.
    pub fn stateful_set_ready(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        self.write(STATEFUL_SETS, namespace, name, |object, _| {
            sets::stateful_set(object, all(object))
        })
    }

    /// Sets the status of a `DaemonSet` with a ready pod on each of `nodes` nodes.
    ///
    /// # Errors
    /// Returns an error if the `DaemonSet` does not exist.
    pub fn daemon_set_ready(
        &self,
        namespace: &str,
        name: &str,
        nodes: u32,
    ) -> Result<(), StatusError> {
        let nodes = Pods::all(nodes.into());
        self.write(DAEMON_SETS, namespace, name, |object, _| sets::daemon_set(object, nodes))
    }

    /// Sets the status of a Job whose pods have all succeeded.
    ///
    /// # Errors
    /// Returns an error if the Job does not exist.
    pub fn job_complete(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        let succeeded = |object: &Value| Some(owned::wanted_of_job(object));
        self.write(JOBS, namespace, name, |object, now| {
            sets::ended_job(object, succeeded(object), now)
        })
    }

    /// Sets the status of a Job whose pods have failed more often than its `backoffLimit` allows.
    ///
    /// # Errors
    /// Returns an error if the Job does not exist.
    pub fn job_failed(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        self.write(JOBS, namespace, name, |object, now| sets::ended_job(object, None, now))
    }

    /// Sets the status of a Pod whose containers run, but are not ready yet.
    ///
    /// # Errors
    /// Returns an error if the Pod does not exist.
    pub fn pod_running(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        self.pod(namespace, name, pods::PodPhase::Running)
    }

    /// Sets the status of a Pod whose containers run and are ready.
    ///
    /// # Errors
    /// Returns an error if the Pod does not exist.
    pub fn pod_ready(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        self.pod(namespace, name, pods::PodPhase::Ready)
    }

    /// Sets the status of a Pod whose containers have exited with code 0.
    ///
    /// # Errors
    /// Returns an error if the Pod does not exist.
    pub fn pod_succeeded(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        self.pod(namespace, name, pods::PodPhase::Succeeded)
    }

    /// Sets the status of a Pod whose containers have exited with `exit_code`.
    ///
    /// # Errors
    /// Returns an error if the Pod does not exist.
    pub fn pod_failed(
        &self,
        namespace: &str,
        name: &str,
        exit_code: i32,
    ) -> Result<(), StatusError> {
        self.pod(namespace, name, pods::PodPhase::Failed { exit_code })
    }

    /// Removes a Pod that is being deleted, as the kubelet does once all containers have exited.
    ///
    /// # Errors
    /// Returns an error if the Pod does not exist, and one with the code 409 if it is not being deleted.
    pub fn pod_terminated(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        let done = self.0.shared.act(|core| {
            if !metadata::is_deleting(&stored_workload(&core.store, PODS, namespace, name)?) {
                let of = GroupResource { group: "", kind: "pods" };
                return Err(Failure::conflict(of, name, "the pod is not being deleted"));
            }
            end_pod(core, &("/pods".into(), format!("{namespace}/{name}").into()))
        });
        done.map_err(StatusError::from)
    }

    fn pod(&self, namespace: &str, name: &str, phase: pods::PodPhase) -> Result<(), StatusError> {
        self.write(PODS, namespace, name, |object, now| pods::pod(object, phase, now))
    }

    /// Binds a `PersistentVolumeClaim` to a volume of the requested size. The volume is the one that the claim names,
    /// or `pvc-` followed by the uid of the claim; no `PersistentVolume` is created.
    ///
    /// # Errors
    /// Returns an error if the claim does not exist.
    pub fn volume_claim_bound(&self, namespace: &str, name: &str) -> Result<(), StatusError> {
        let done = self.0.shared.act(|core| bind_claim(core, namespace, name));
        done.map_err(StatusError::from)
    }

    /// Sets the IP address of the load balancer of a Service.
    ///
    /// # Errors
    /// Returns an error if the Service does not exist.
    pub fn load_balancer_ready(
        &self,
        namespace: &str,
        name: &str,
        ip: &str,
    ) -> Result<(), StatusError> {
        self.write(SERVICES, namespace, name, |_, _| storage::load_balancer(ip))
    }

    fn write(
        &self,
        resource: Resource,
        namespace: &str,
        name: &str,
        status: impl Fn(&Value, &str) -> Value,
    ) -> Result<(), StatusError> {
        let act = |core: &mut Core| write_workload(core, resource, namespace, name, &status);
        self.0.shared.act(act).map_err(StatusError::from)
    }
}

/// Replaces the status of an object.
fn write_workload(
    core: &mut Core,
    resource: Resource,
    namespace: &str,
    name: &str,
    status: impl FnOnce(&Value, &str) -> Value,
) -> Answer<()> {
    let now = core.clock.text();
    let status = status(&stored_workload(&core.store, resource, namespace, name)?, &now);
    patch_object(
        core,
        resource,
        namespace,
        name,
        "/status",
        &json!([
            {"op": "add", "path": "/status", "value": status},
        ]),
    )
}

fn stored_workload(
    store: &Store,
    resource: Resource,
    namespace: &str,
    name: &str,
) -> Answer<Value> {
    let (group, plural) = resource;
    let stored = store.get(&format!("{group}/{plural}"), &format!("{namespace}/{name}"));
    let stored =
        stored.ok_or_else(|| Failure::not_found(GroupResource { group, kind: plural }, name))?;
    Ok(stored.object())
}

/// Applies a JSON patch to an object as a request does, without running the controllers afterwards.
fn patch_object(
    core: &mut Core,
    resource: Resource,
    namespace: &str,
    name: &str,
    subresource: &str,
    patch: &Value,
) -> Answer<()> {
    let path = format!("{}/{name}{subresource}", collection(resource, namespace));
    send(
        core,
        Request::patch(path).header(header::CONTENT_TYPE, "application/json-patch+json"),
        patch,
    )
}

/// Sends a request of a controller, without running the controllers afterwards.
fn send(core: &mut Core, request: http::request::Builder, body: &Value) -> Answer<()> {
    let request = request
        .header(header::USER_AGENT, CONTROLLER_MANAGER)
        .body(body.to_string().into_bytes())
        .map_err(|error| Failure::bad_request(error.to_string()))?;
    handler::route(core, &request, &mut Vec::new()).map(drop)
}

/// Returns the path of a resource in a namespace.
fn collection((group, plural): Resource, namespace: &str) -> String {
    let root = if group.is_empty() { "/api".to_owned() } else { format!("/apis/{group}") };
    format!("{root}/v1/namespaces/{namespace}/{plural}")
}

/// Binds a claim: sets the name of its volume, then its status.
fn bind_claim(core: &mut Core, namespace: &str, name: &str) -> Answer<()> {
    let claim = stored_workload(&core.store, CLAIMS, namespace, name)?;
    let volume = storage::volume_name(&claim);
    patch_object(
        core,
        CLAIMS,
        namespace,
        name,
        "",
        &json!([
            {"op": "add", "path": "/spec/volumeName", "value": volume},
        ]),
    )?;
    write_workload(core, CLAIMS, namespace, name, |claim, _| storage::bound(claim))
}

/// Adds the work that a change of an object causes if workloads are simulated.
pub(super) fn owe(
    queue: &mut WorkQueue,
    store: &Store,
    change: &StoreEvent,
    simulation: Simulation,
) {
    let StoreEvent { resource, key, before, after, .. } = change;
    let object = || (Arc::clone(resource), Arc::clone(key));
    if after.is_some() && workload(resource).is_some() {
        queue.add(Work::Workload(object()));
    }
    // What is gone has to be made again, and statuses count what exists.
    if simulation == Simulation::Pods
        && let Some(changed) = after.as_ref().or(before.as_ref())
        && let Some(owner) = owned::controller_key(changed)
    {
        queue.add(Work::Workload(owner));
    }
    if after.is_some() && (BUDGETS.0, BUDGETS.1) == resource.split_once('/').unwrap_or_default() {
        queue.add(Work::Budget(object()));
    }
    // Disruption budgets count pods.
    if &**resource == "/pods"
        && let Some((namespace, _)) = key.split_once('/')
    {
        owe_all(queue, store, BUDGETS, &format!("{namespace}/"), Work::Budget);
    }
}

/// Adds work for the stored objects of a resource whose keys begin with `prefix`.
fn owe_all(
    queue: &mut WorkQueue,
    store: &Store,
    (group, plural): Resource,
    prefix: &str,
    work: fn(ObjectKey) -> Work,
) {
    let resource: Arc<str> = format!("{group}/{plural}").into();
    for (key, _) in store.list(&resource, prefix) {
        queue.add(work((Arc::clone(&resource), Arc::clone(key))));
    }
}

/// Makes a workload succeed. A pod that is being deleted ends. Returns whether more is left to do.
///
/// # Errors
/// Returns the failure of the update, or an error if webhooks have yet to be called.
pub(super) fn simulate_workload(
    core: &mut Core,
    key: &ObjectKey,
    simulation: Simulation,
) -> Answer<bool> {
    let stored = core.store.get(&key.0, &key.1);
    let (Some(resource), Some(stored)) = (workload(&key.0), stored) else { return Ok(false) };
    let Some((namespace, name)) = key.1.split_once('/') else { return Ok(false) };
    if stored.is_deleting() {
        return if resource == PODS { end_pod(core, key).map(|()| false) } else { Ok(false) };
    }
    let object = stored.object();
    if simulation == Simulation::Pods {
        return simulate_with_pods(core, resource, namespace, name, &object);
    }
    if is_waiting(resource, &object) {
        succeed(core, resource, namespace, name)?;
    }
    Ok(false)
}

/// Makes the pods of a workload, and reports how many there are. Returns whether more is left to do.
fn simulate_with_pods(
    core: &mut Core,
    resource: Resource,
    namespace: &str,
    name: &str,
    object: &Value,
) -> Answer<bool> {
    if resource == PODS {
        let is_gated = fields::list(&object["spec"], "schedulingGates").next().is_some();
        if is_gated || !is_waiting(resource, object) {
            return Ok(false);
        }
        if fields::text(&object["spec"], "nodeName").is_empty() {
            let path = format!("{}/{name}/binding", collection(PODS, namespace));
            let target = json!({"kind": "Node", "name": NODE});
            send(
                core,
                Request::post(path),
                &json!({"metadata": {"name": name}, "target": target}),
            )?;
            return Ok(true);
        }
    }
    let made = owned::step(core, resource, object);
    if matches!(made, Ok(true)) || core.webhook_calls.is_waiting() {
        return made;
    }
    // Also if pods are rejected.
    let now = core.clock.text();
    match sets::status_by_pods(&core.store, resource, object, &now) {
        Some(status) => {
            let is_known = object.get("status").is_some_and(|known| json::equal(known, &status));
            if !is_known && status.is_object() {
                write_workload(core, resource, namespace, name, |_, _| status)?;
            }
        }
        None if is_waiting(resource, object) => succeed(core, resource, namespace, name)?,
        None => {}
    }
    made
}

/// Writes the status that reports success.
fn succeed(core: &mut Core, resource: Resource, namespace: &str, name: &str) -> Answer<()> {
    if resource == CLAIMS {
        return bind_claim(core, namespace, name);
    }
    write_workload(core, resource, namespace, name, |object, now| {
        successful_status(resource, object, now)
    })
}

/// Sets the status of a disruption budget by the pods that it selects.
///
/// # Errors
/// Returns the failure of the update, or an error if webhooks have yet to be called.
pub(super) fn report_budget(core: &mut Core, key: &ObjectKey) -> Answer<()> {
    let Some((namespace, name)) = key.1.split_once('/') else { return Ok(()) };
    if core.store.get(&key.0, &key.1).is_none_or(|stored| stored.is_deleting()) {
        return Ok(());
    }
    let budget = stored_workload(&core.store, BUDGETS, namespace, name)?;
    let selector = budget.get("spec").and_then(|spec| fields::object(spec, "selector"));
    let selector = selector.map(|it| LabelSelector::of_value(it, core.catalog.kubernetes));
    let Some(Ok(selector)) = selector else { return Ok(()) };
    let prefix = format!("{namespace}/");
    let pods = core.store.list("/pods", &prefix).map(|(_, stored)| stored.object());
    let pods: Vec<Value> = pods.filter(|pod| selector.matches(pod)).collect();
    let status = budgets::budget(&budget, &pods, &core.clock.text());
    if budget.get("status").is_some_and(|known| json::equal(known, &status)) {
        return Ok(());
    }
    write_workload(core, BUDGETS, namespace, name, |_, _| status)
}

/// Ends the grace period of a pod, as its kubelet does.
fn end_pod(core: &mut Core, key: &ObjectKey) -> Answer<()> {
    let pod = core.store.get(&key.0, &key.1).map(|stored| stored.object());
    let node = pod.as_ref().and_then(|pod| pod.pointer("/spec/nodeName")?.as_str());
    let user = User::new(format!("system:node:{}", node.unwrap_or_default()));
    let options = DeleteOptions { grace_seconds: Some(0), ..DeleteOptions::default() };
    delete::delete_stored(core, key, &options, Some(Arc::new(user.group("system:nodes"))))
}

/// Returns the resource of a workload that is stored as `resource`.
fn workload(resource: &str) -> Option<Resource> {
    let (group, plural) = resource.split_once('/')?;
    WORKLOADS.into_iter().find(|workload| *workload == (group, plural))
}

/// Returns whether the status of an object does not yet report success.
fn is_waiting(resource: Resource, object: &Value) -> bool {
    let at = |path: &str| object.pointer(path).unwrap_or(&Value::Null);
    match resource {
        PODS => at("/status/phase") == "Pending" || at("/status/phase").is_null(),
        CLAIMS => at("/status/phase") != "Bound",
        JOBS => at("/status/completionTime").is_null() && at("/spec/suspend") != true,
        SERVICES => {
            at("/spec/type") == "LoadBalancer" && at("/status/loadBalancer/ingress").is_null()
        }
        _ => at("/status/observedGeneration") != at("/metadata/generation"),
    }
}

/// Returns the pods of a workload that has all of them.
fn all(object: &Value) -> Pods {
    Pods::all(number(object, "/spec/replicas", 1))
}

/// Returns the status that reports the success of an object.
fn successful_status(resource: Resource, object: &Value, now: &str) -> Value {
    match resource {
        DEPLOYMENTS => sets::deployment(object, all(object), now),
        REPLICA_SETS => sets::replica_set(object, all(object)),
        STATEFUL_SETS => sets::stateful_set(object, all(object)),
        DAEMON_SETS => sets::daemon_set(object, Pods::all(1)),
        JOBS => sets::ended_job(object, Some(owned::wanted_of_job(object)), now),
        PODS => {
            let of_job = owned::controller_of(object).is_some_and(|(owner, _)| owner == JOBS);
            let phase = if of_job { pods::PodPhase::Succeeded } else { pods::PodPhase::Ready };
            pods::pod(object, phase, now)
        }
        // An address that is reserved for documentation. Source: RFC 5737.
        _ => storage::load_balancer("192.0.2.1"),
    }
}

/// Returns a condition. If the object already has it with the same status, its transition time is kept; otherwise, it
/// is `now`.
fn condition(old: &Value, type_: &str, is_true: bool, now: &str) -> Map<String, Value> {
    let status = if is_true { "True" } else { "False" };
    let known = old.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
    let same = known.into_iter().find(|it| it["type"] == type_ && it["status"] == status);
    let since = same.and_then(|same| same["lastTransitionTime"].as_str()).unwrap_or(now);
    let fields = [("type", type_), ("status", status), ("lastTransitionTime", since)];
    fields.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect()
}

/// Adds a reason and a message to a condition.
fn with_reason(
    mut condition: Map<String, Value>,
    reason: &str,
    message: &str,
) -> Map<String, Value> {
    condition.insert("reason".to_owned(), reason.into());
    condition.insert("message".to_owned(), message.into());
    condition
}

/// Returns numeric fields without those that are zero, which Go omits.
fn without_zeros(fields: &[(&str, u64)]) -> Map<String, Value> {
    let counted = fields.iter().filter(|(_, count)| *count > 0);
    counted.map(|(key, count)| ((*key).to_owned(), (*count).into())).collect()
}

fn number(object: &Value, at: &str, default: u64) -> u64 {
    object.pointer(at).and_then(Value::as_u64).unwrap_or(default)
}

#[cfg(test)]
mod tests;
