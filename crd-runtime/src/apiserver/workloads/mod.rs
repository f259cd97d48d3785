//! What a cluster does with workloads: the statuses that its controllers and kubelets write.

mod pods;
mod sets;
mod storage;

use http::{Request, header};
use serde_json::{Map, Value, json};

use super::ApiServer;
use super::core::Core;
use super::failure::{Answer, Failure, Of};
use super::metadata;

/// Who writes statuses.
const MANAGER: &str = "kube-controller-manager";

/// Plays the controllers and kubelets of a cluster: sets the status of workloads as they would.
///
/// Each call writes once. Requests of a test are not counted or recorded for it, and no fault hits it.
///
/// ```
/// use crd_runtime::apiserver::ApiServer;
/// use k8s_openapi::api::apps::v1::Deployment;
/// use kube::api::Api;
/// use serde_json::json;
///
/// # tokio_test(async {
/// let server = ApiServer::new().with_object(&json!({
///     "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3},
/// }));
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

/// The server refuses what is asked of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The status of HTTP.
    pub code: u16,
    /// The reason, such as `NotFound`.
    pub reason: String,
    /// What the server says.
    pub message: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self {
            code: failure.code.as_u16(),
            reason: failure.reason.into_owned(),
            message: failure.message,
        }
    }
}

/// A resource, by group and plural.
type Resource = (&'static str, &'static str);

const DEPLOYMENTS: Resource = ("apps", "deployments");
const STATEFUL_SETS: Resource = ("apps", "statefulsets");
const DAEMON_SETS: Resource = ("apps", "daemonsets");
const JOBS: Resource = ("batch", "jobs");
const PODS: Resource = ("", "pods");
const CLAIMS: Resource = ("", "persistentvolumeclaims");
const SERVICES: Resource = ("", "services");

impl ApiServer {
    /// What a cluster does with workloads, step by step.
    #[must_use]
    pub fn workloads(&self) -> Workloads {
        Workloads(self.clone())
    }

    /// Plays a cluster in which all goes well at once: after each request Deployments, `StatefulSet`s and `DaemonSet`s are
    /// available, Jobs complete, Pods ready, claims of volumes bound, and load balancers have an address.
    ///
    /// [`ApiServer::workloads`] does the same step by step.
    #[must_use]
    pub fn with_workloads(self) -> Self {
        self.shared.lock().workloads = true;
        self
    }
}

impl Workloads {
    /// All pods of a Deployment run the newest template, and are available.
    ///
    /// # Errors
    /// Where the Deployment is not there.
    pub fn deployment_available(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.write(DEPLOYMENTS, namespace, name, |object, now| sets::deployment(object, true, now))
    }

    /// The pods of a Deployment are there, and none is available.
    ///
    /// # Errors
    /// Where the Deployment is not there.
    pub fn deployment_unavailable(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.write(DEPLOYMENTS, namespace, name, |object, now| sets::deployment(object, false, now))
    }

    /// All pods of a `StatefulSet` run the newest revision, and are ready.
    ///
    /// # Errors
    /// Where the `StatefulSet` is not there.
    pub fn stateful_set_ready(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.write(STATEFUL_SETS, namespace, name, |object, _| sets::stateful_set(object))
    }

    /// A `DaemonSet` has a ready pod on each of so many nodes.
    ///
    /// # Errors
    /// Where the `DaemonSet` is not there.
    pub fn daemon_set_ready(&self, namespace: &str, name: &str, nodes: u32) -> Result<(), Refused> {
        self.write(DAEMON_SETS, namespace, name, |object, _| sets::daemon_set(object, nodes))
    }

    /// All pods of a Job have succeeded.
    ///
    /// # Errors
    /// Where the Job is not there.
    pub fn job_complete(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.write(JOBS, namespace, name, |object, now| sets::job(object, true, now))
    }

    /// The pods of a Job have failed more often than its `backoffLimit` allows.
    ///
    /// # Errors
    /// Where the Job is not there.
    pub fn job_failed(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.write(JOBS, namespace, name, |object, now| sets::job(object, false, now))
    }

    /// The containers of a Pod run; it is not ready yet.
    ///
    /// # Errors
    /// Where the Pod is not there.
    pub fn pod_running(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.pod(namespace, name, pods::Phase::Running)
    }

    /// The containers of a Pod run and are ready.
    ///
    /// # Errors
    /// Where the Pod is not there.
    pub fn pod_ready(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.pod(namespace, name, pods::Phase::Ready)
    }

    /// The containers of a Pod have ended with exit code 0.
    ///
    /// # Errors
    /// Where the Pod is not there.
    pub fn pod_succeeded(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        self.pod(namespace, name, pods::Phase::Succeeded)
    }

    /// The containers of a Pod have ended with an exit code.
    ///
    /// # Errors
    /// Where the Pod is not there.
    pub fn pod_failed(&self, namespace: &str, name: &str, exit_code: i32) -> Result<(), Refused> {
        self.pod(namespace, name, pods::Phase::Failed { exit_code })
    }

    fn pod(&self, namespace: &str, name: &str, phase: pods::Phase) -> Result<(), Refused> {
        self.write(PODS, namespace, name, |object, now| pods::pod(object, phase, now))
    }

    /// A `PersistentVolumeClaim` has got a volume of the size that it asks for.
    ///
    /// # Errors
    /// Where the claim is not there.
    pub fn volume_claim_bound(&self, namespace: &str, name: &str) -> Result<(), Refused> {
        let mut core = self.0.shared.lock();
        let done = core.bind(namespace, name);
        self.0.shared.wake(&core);
        done.map_err(Refused::from)
    }

    /// The load balancer of a Service has an IP address.
    ///
    /// # Errors
    /// Where the Service is not there.
    pub fn load_balancer_ready(
        &self,
        namespace: &str,
        name: &str,
        ip: &str,
    ) -> Result<(), Refused> {
        self.write(SERVICES, namespace, name, |_, _| storage::load_balancer(ip))
    }

    fn write(
        &self,
        resource: Resource,
        namespace: &str,
        name: &str,
        status: impl FnOnce(&Value, &str) -> Value,
    ) -> Result<(), Refused> {
        let mut core = self.0.shared.lock();
        let done = core.write_workload(resource, namespace, name, status);
        core.settle();
        self.0.shared.wake(&core);
        done.map_err(Refused::from)
    }
}

impl Core {
    /// Puts another status in place of that of an object.
    fn write_workload(
        &mut self,
        resource: Resource,
        namespace: &str,
        name: &str,
        status: impl FnOnce(&Value, &str) -> Value,
    ) -> Answer<()> {
        let now = self.clock.text();
        let status = status(&self.workload(resource, namespace, name)?, &now);
        self.change(
            resource,
            namespace,
            name,
            "/status",
            &json!([
                {"op": "add", "path": "/status", "value": status},
            ]),
        )
    }

    fn workload(&self, resource: Resource, namespace: &str, name: &str) -> Answer<Value> {
        let (group, kind) = resource;
        let stored = self.store.get(&format!("{group}/{kind}"), &format!("{namespace}/{name}"));
        let stored = stored.ok_or_else(|| Failure::not_found(Of { group, kind }, name))?;
        Ok(stored.object.clone())
    }

    /// Sends a JSON patch, after which nothing settles yet.
    fn change(
        &mut self,
        (group, plural): Resource,
        namespace: &str,
        name: &str,
        subresource: &str,
        patch: &Value,
    ) -> Answer<()> {
        let root = if group.is_empty() { "/api".to_owned() } else { format!("/apis/{group}") };
        let path = format!("{root}/v1/namespaces/{namespace}/{plural}/{name}{subresource}");
        let request = Request::patch(path)
            .header(header::CONTENT_TYPE, "application/json-patch+json")
            .header(header::USER_AGENT, MANAGER)
            .body(patch.to_string().into_bytes());
        let request = request.map_err(|error| Failure::bad_request(error.to_string()))?;
        self.route(&request, &mut Vec::new()).map(drop)
    }

    /// Gives a claim a volume.
    fn bind(&mut self, namespace: &str, name: &str) -> Answer<()> {
        let claim = self.workload(CLAIMS, namespace, name)?;
        let volume = storage::volume_name(&claim);
        self.change(
            CLAIMS,
            namespace,
            name,
            "",
            &json!([
                {"op": "add", "path": "/spec/volumeName", "value": volume},
            ]),
        )?;
        self.write_workload(CLAIMS, namespace, name, |claim, _| storage::bound(claim))
    }

    /// Does what a cluster does in which all goes well; whether anything changed.
    pub(super) fn settle_workloads(&mut self) -> bool {
        if !self.workloads {
            return false;
        }
        let mut changed = false;
        let resources = [DEPLOYMENTS, STATEFUL_SETS, DAEMON_SETS, JOBS, PODS, CLAIMS, SERVICES];
        for resource in resources {
            for key in self.waiting_workloads(resource) {
                let Some((namespace, name)) = key.split_once('/') else { continue };
                let done = match resource {
                    CLAIMS => self.bind(namespace, name),
                    _ => self.write_workload(resource, namespace, name, |object, now| {
                        well(resource, object, now)
                    }),
                };
                changed |= done.is_ok();
            }
        }
        changed
    }

    /// The objects whose status does not say yet that all is well.
    fn waiting_workloads(&self, resource: Resource) -> Vec<String> {
        let stored_as = format!("{}/{}", resource.0, resource.1);
        let all = self.store.list(&stored_as, "");
        let waiting = all.filter(|(_, stored)| {
            let object = &stored.object;
            !metadata::is_deleting(object) && is_waiting(resource, object)
        });
        waiting.map(|(key, _)| key.to_string()).collect()
    }
}

/// Whether a status does not say yet that all is well.
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

/// The status of an object with which all goes well.
fn well(resource: Resource, object: &Value, now: &str) -> Value {
    match resource {
        DEPLOYMENTS => sets::deployment(object, true, now),
        STATEFUL_SETS => sets::stateful_set(object),
        DAEMON_SETS => sets::daemon_set(object, 1),
        JOBS => sets::job(object, true, now),
        PODS => pods::pod(object, pods::Phase::Ready, now),
        // An address that documentation uses. Source: RFC 5737.
        _ => storage::load_balancer("192.0.2.1"),
    }
}

/// A condition. The time is that of its last change, where it has the same status already.
fn condition(old: &Value, type_: &str, is_true: bool, now: &str) -> Map<String, Value> {
    let status = if is_true { "True" } else { "False" };
    let known = old.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
    let same = known.into_iter().find(|it| it["type"] == type_ && it["status"] == status);
    let since = same.and_then(|same| same["lastTransitionTime"].as_str()).unwrap_or(now);
    let fields = [("type", type_), ("status", status), ("lastTransitionTime", since)];
    fields.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect()
}

/// A condition with its reason and message.
fn explained(mut condition: Map<String, Value>, reason: &str, message: &str) -> Map<String, Value> {
    condition.insert("reason".to_owned(), reason.into());
    condition.insert("message".to_owned(), message.into());
    condition
}

/// Fields with numbers, of which zeros are left out, as Go leaves them out.
fn counts(fields: &[(&str, u64)]) -> Map<String, Value> {
    let counted = fields.iter().filter(|(_, count)| *count > 0);
    counted.map(|(key, count)| ((*key).to_owned(), (*count).into())).collect()
}

fn number(object: &Value, at: &str, default: u64) -> u64 {
    object.pointer(at).and_then(Value::as_u64).unwrap_or(default)
}

#[cfg(test)]
mod tests;
