//! Sequences about objects of built-in kinds. Most objects are valid, because the API server of tests does not have all
//! validation of these kinds.

use fastrand::Rng;
use serde_json::{Value, json};

use super::built_in_objects::{json_patch, object, simple_patch, status, strategic_patch};
use super::generate::{PARTIAL, PARTIAL_LIST, TABLE, delete_options};
use super::objects::{MANAGERS, once_in, pick};
use super::step::{NAMESPACE, Reads, Step};

/// The number of requests in a sequence, without those of its beginning and its watch.
const LENGTH: std::ops::Range<u32> = 10..30;
/// The names of objects. They are few, so that several requests are about the same object.
const NAMES: [&str; 2] = ["a", "b"];
/// The name of the object whose event is the last that is read of a watch.
const LAST: &str = "zz-last";
/// As `LAST`, of a kind whose objects are in no namespace.
const CLUSTER_LAST: &str = "{{namespace}}-zz-last";

/// A built-in kind whose objects are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BuiltIn {
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    plural: &'static str,
    /// Field selectors besides those of all kinds.
    selectors: &'static [&'static str],
    /// Whether it has the subresources `status` and `scale`.
    is_workload: bool,
    /// Whether its objects are in no namespace. Those of a run have names of their own, and lists select them by name.
    pub(super) is_cluster: bool,
}

const fn kind(
    api_version: &'static str,
    kind: &'static str,
    plural: &'static str,
    selectors: &'static [&'static str],
) -> BuiltIn {
    BuiltIn { api_version, kind, plural, selectors, is_workload: false, is_cluster: false }
}

const fn cluster(api_version: &'static str, name: &'static str, plural: &'static str) -> BuiltIn {
    BuiltIn { is_cluster: true, ..kind(api_version, name, plural, &[]) }
}

/// The kinds, of which those at the beginning are written more often.
const KINDS: [BuiltIn; 30] = [
    kind("v1", "Secret", "secrets", &["type=Opaque", "type!=Opaque"]),
    kind("v1", "Service", "services", &["spec.type=ClusterIP", "spec.clusterIP!=None"]),
    kind("v1", "ServiceAccount", "serviceaccounts", &[]),
    kind("coordination.k8s.io/v1", "Lease", "leases", &["spec.holderIdentity=me"]),
    kind("v1", "Event", "events", &["reason=Begun", "type!=Warning,involvedObject.kind=Pod"]),
    kind("rbac.authorization.k8s.io/v1", "Role", "roles", &[]),
    kind("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", &[]),
    BuiltIn {
        is_workload: true,
        ..kind("apps/v1", "Deployment", "deployments", &["status.phase=x"])
    },
    kind("v1", "ConfigMap", "configmaps", &[]),
    kind("v1", "Pod", "pods", &["spec.nodeName=n", "status.phase=Pending"]),
    kind("batch/v1", "Job", "jobs", &["status.successful=0"]),
    kind("v1", "PersistentVolumeClaim", "persistentvolumeclaims", &[]),
    kind("apps/v1", "ControllerRevision", "controllerrevisions", &[]),
    kind("apps/v1", "DaemonSet", "daemonsets", &[]),
    kind("apps/v1", "ReplicaSet", "replicasets", &["status.replicas=0"]),
    kind("apps/v1", "StatefulSet", "statefulsets", &[]),
    kind("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", &[]),
    kind("autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", &[]),
    kind("batch/v1", "CronJob", "cronjobs", &[]),
    kind("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", &[]),
    kind("events.k8s.io/v1", "Event", "events", &["reason=Begun", "type!=Warning"]),
    kind("networking.k8s.io/v1", "Ingress", "ingresses", &[]),
    kind("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", &[]),
    kind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", &[]),
    kind("storage.k8s.io/v1", "CSIStorageCapacity", "csistoragecapacities", &[]),
    kind("v1", "Endpoints", "endpoints", &[]),
    kind("v1", "LimitRange", "limitranges", &[]),
    kind("v1", "PodTemplate", "podtemplates", &[]),
    kind("v1", "ReplicationController", "replicationcontrollers", &["status.replicas=0"]),
    kind("v1", "ResourceQuota", "resourcequotas", &[]),
];
/// How many of the kinds are at the beginning.
const COMMON: usize = 12;

/// The kinds whose objects are in no namespace.
const CLUSTER_KINDS: [BuiltIn; 15] = [
    cluster(
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
    ),
    cluster(
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
    ),
    cluster(
        "admissionregistration.k8s.io/v1",
        "MutatingAdmissionPolicy",
        "mutatingadmissionpolicies",
    ),
    cluster(
        "admissionregistration.k8s.io/v1",
        "MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
    ),
    cluster(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
    ),
    cluster(
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
    ),
    cluster("networking.k8s.io/v1", "IngressClass", "ingressclasses"),
    cluster("node.k8s.io/v1", "RuntimeClass", "runtimeclasses"),
    cluster("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles"),
    cluster("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings"),
    cluster("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses"),
    cluster("storage.k8s.io/v1", "CSIDriver", "csidrivers"),
    cluster("storage.k8s.io/v1", "StorageClass", "storageclasses"),
    cluster("storage.k8s.io/v1", "VolumeAttachment", "volumeattachments"),
    cluster("v1", "PersistentVolume", "persistentvolumes"),
];

/// Returns a kind for a request of a sequence that is mostly about the kind `main`: sometimes another kind, or another
/// version of the kind.
fn any_kind(rng: &mut Rng, main: &'static BuiltIn) -> &'static BuiltIn {
    let is_version = |kind: &&BuiltIn| kind.plural == main.plural && *kind != main;
    let version = KINDS.iter().find(is_version).filter(|_| once_in(rng, 3));
    version.unwrap_or_else(|| if once_in(rng, 4) { first_kind(rng) } else { main })
}

fn first_kind(rng: &mut Rng) -> &'static BuiltIn {
    let end = if rng.bool() { COMMON } else { KINDS.len() };
    &KINDS[rng.usize(..end)]
}

impl BuiltIn {
    fn path(&self) -> String {
        let root = if self.api_version.contains('/') { "/apis" } else { "/api" };
        let namespace =
            if self.is_cluster { String::new() } else { format!("namespaces/{NAMESPACE}/") };
        format!("{root}/{}/{namespace}{}", self.api_version, self.plural)
    }

    /// Returns the name of an object of a run.
    pub(super) fn name(&self, name: &str) -> String {
        if self.is_cluster { format!("{NAMESPACE}-{name}") } else { name.to_owned() }
    }

    /// Returns the path of the objects with a query that selects only those of a run.
    fn list(&self, rng: &mut Rng) -> Step {
        let step = Step::new("GET", self.path());
        if !self.is_cluster {
            return step;
        }
        let name = self.name(pick(rng, &NAMES));
        step.with("fieldSelector", &format!("metadata.name={name}"))
    }
}

/// Returns the names of the kinds' resources, such as `secrets`.
pub(super) fn plurals() -> impl Iterator<Item = &'static str> {
    KINDS.iter().chain(&CLUSTER_KINDS).map(|kind| kind.plural)
}

/// Returns the paths of the objects without a namespace that requests may have created.
pub(super) fn cluster_objects(steps: &[Step]) -> Vec<String> {
    let kinds = CLUSTER_KINDS.iter().filter(|kind| {
        let path = kind.path();
        steps.iter().any(|step| {
            step.reads != Reads::Configured && step.path_without_query().starts_with(&path)
        })
    });
    let paths = kinds.flat_map(|kind| {
        let names = NAMES.into_iter().chain([LAST]);
        names.map(|name| format!("{}/{}", kind.path(), kind.name(name)))
    });
    paths.collect()
}

/// Generates a sequence. Most of its requests are about one kind.
pub(super) fn sequence(rng: &mut Rng) -> Vec<Step> {
    let main = first_kind(rng);
    sequence_of(rng, main)
}

/// As [`sequence`], about a kind whose objects are in no namespace.
pub(super) fn cluster_sequence(rng: &mut Rng) -> Vec<Step> {
    let main = &CLUSTER_KINDS[rng.usize(..CLUSTER_KINDS.len())];
    sequence_of(rng, main)
}

fn sequence_of(rng: &mut Rng, main: &'static BuiltIn) -> Vec<Step> {
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
    let mut steps = vec![Step::new("POST", "/api/v1/namespaces").body(namespace)];
    let mut begin = Step::new("GET", main.path());
    begin.reads = Reads::Uncompared;
    steps.push(begin);
    for number in 0..rng.u32(LENGTH) {
        let kind = any_kind(rng, main);
        steps.push(request(rng, kind, number));
    }
    steps.extend(watched(rng, main));
    steps.extend(left(rng, main));
    steps
}

/// Returns the request that creates a last object, and a watch from the beginning of the sequence to the event of that
/// object.
fn watched(rng: &mut Rng, kind: &'static BuiltIn) -> [Step; 2] {
    let mut last = Step::new("POST", kind.path()).body(object(rng, kind, LAST));
    last.reads = Reads::Uncompared;
    let mut watch = Step::new("GET", kind.path())
        .with("watch", "true")
        .with("resourceVersion", &format!("{{{{begin {}}}}}", kind.path()))
        .with("timeoutSeconds", "3");
    if rng.bool() {
        let name = kind.name(pick(rng, &NAMES));
        watch = watch.with("fieldSelector", &format!("metadata.name!={name}"));
    }
    if rng.bool() {
        watch.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    }
    watch.reads = Reads::EventsUntil(if kind.is_cluster { CLUSTER_LAST } else { LAST });
    [last, watch]
}

/// Returns the requests for what is left of a kind in the end, as objects and as a table.
fn left(rng: &mut Rng, kind: &BuiltIn) -> [Step; 2] {
    let (list, mut table) = (kind.list(rng), kind.list(rng));
    table.accept = TABLE;
    [list, table]
}

fn request(rng: &mut Rng, kind: &'static BuiltIn, number: u32) -> Step {
    let name = pick(rng, &NAMES);
    let path = format!("{}/{}", kind.path(), kind.name(name));
    match rng.u32(..40) {
        0..8 => create(rng, kind, name, number),
        8..12 => read(rng, kind, &path),
        12..17 => list(rng, kind),
        // An update cannot change some specs, and a generated spec lacks what the server has added to the stored one.
        17..21 if !matches!(kind.kind, "Pod" | "Job" | "PersistentVolumeClaim") => {
            replace(rng, kind, name, &path)
        }
        21..26 => apply(rng, kind, name, &path),
        17..21 | 26..35 => patch(rng, kind, &path),
        35..38 => delete_options(rng, Step::new("DELETE", &path), &path),
        38 => {
            let mut step = kind.list(rng);
            step.method = "DELETE";
            if rng.bool() { step.with("labelSelector", "app=x") } else { step }
        }
        _ => Step::new("GET", format!("{path}/nothing")),
    }
}

fn options(rng: &mut Rng, mut step: Step) -> Step {
    if rng.bool() {
        step = step.with("fieldManager", pick(rng, &MANAGERS));
    }
    if once_in(rng, 5) {
        step = step.with("fieldValidation", pick(rng, &["Strict", "Warn", "Ignore"]));
    }
    if once_in(rng, 12) {
        step = step.with("dryRun", "All");
    }
    step
}

fn create(rng: &mut Rng, kind: &'static BuiltIn, name: &str, number: u32) -> Step {
    let mut object = object(rng, kind, name);
    if !kind.is_cluster
        && once_in(rng, 8)
        && let Some(metadata) = object["metadata"].as_object_mut()
    {
        metadata.remove("name");
        metadata.insert("generateName".to_owned(), format!("g{number}-").into());
    }
    options(rng, Step::new("POST", kind.path()).body(object))
}

fn read(rng: &mut Rng, kind: &BuiltIn, path: &str) -> Step {
    let mut step = Step::new("GET", path);
    if kind.is_workload {
        step.path.push_str(pick(rng, &["", "/status", "/scale"]));
    } else if once_in(rng, 4) {
        step.accept = pick(rng, &[PARTIAL, TABLE]);
    }
    step
}

fn list(rng: &mut Rng, kind: &BuiltIn) -> Step {
    let mut step = kind.list(rng);
    if once_in(rng, 3) {
        step = step.with("labelSelector", pick(rng, &["app=x", "app!=x", "tier", "!tier"]));
    }
    if !kind.is_cluster && once_in(rng, 3) {
        let all = [&["metadata.name=a", "metadata.name!=a", "x=y"], kind.selectors].concat();
        step = step.with("fieldSelector", pick(rng, &all));
    }
    if once_in(rng, 5) {
        step = step.with("limit", "1");
    }
    if once_in(rng, 6) {
        step = step.with("resourceVersion", "0");
    }
    if once_in(rng, 4) {
        step.accept = pick(rng, &[PARTIAL_LIST, TABLE]);
    }
    step
}

fn replace(rng: &mut Rng, kind: &'static BuiltIn, name: &str, path: &str) -> Step {
    if kind.is_workload && once_in(rng, 4) {
        let scale = json!({
            "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {"replicas": rng.u32(..4)},
        });
        return options(rng, Step::new("PUT", format!("{path}/scale")).body(scale));
    }
    let mut object = object(rng, kind, name);
    if rng.bool() {
        object["metadata"]["resourceVersion"] = format!("{{{{rv {path}}}}}").into();
    }
    let mut step = Step::new("PUT", path);
    if kind.is_workload && once_in(rng, 3) {
        object["status"] = status(rng);
        step.path.push_str("/status");
    }
    options(rng, step.body(object))
}

fn apply(rng: &mut Rng, kind: &'static BuiltIn, name: &str, path: &str) -> Step {
    let mut object = object(rng, kind, name);
    let mut step = Step::new("PATCH", path);
    if kind.is_workload && once_in(rng, 5) {
        object["status"] = status(rng);
        step.path.push_str("/status");
    }
    step = step.with("fieldManager", pick(rng, &MANAGERS)).body(object);
    step.content_type = "application/apply-patch+yaml";
    if rng.bool() { step.with("force", "true") } else { step }
}

fn patch(rng: &mut Rng, kind: &'static BuiltIn, path: &str) -> Step {
    let mut step = Step::new("PATCH", path);
    let (content_type, body): (_, Value) = match rng.u32(..12) {
        0 if kind.is_workload => {
            step.path.push_str("/scale");
            ("application/merge-patch+json", json!({"spec": {"replicas": rng.u32(..4)}}))
        }
        1 if kind.is_workload => {
            step.path.push_str("/status");
            ("application/strategic-merge-patch+json", json!({"status": status(rng)}))
        }
        0..4 => ("application/merge-patch+json", simple_patch(rng, kind)),
        4..6 => ("application/json-patch+json", json_patch(rng, kind)),
        6..8 => ("application/strategic-merge-patch+json", simple_patch(rng, kind)),
        _ => ("application/strategic-merge-patch+json", strategic_patch(rng, kind)),
    };
    step.content_type = content_type;
    options(rng, step.body(body))
}
