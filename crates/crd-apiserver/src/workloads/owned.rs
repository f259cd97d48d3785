//! The objects that controllers make for workloads: the `ReplicaSet`s of Deployments, and the pods and claims of the others.
//!
//! In a cluster, the names of pods end in random characters. Here they follow from the owner and the number of the pod, so
//! that a test that runs twice has the same objects.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use http::Request;
use serde_json::{Map, Value, json};

use super::super::core::Core;
use super::super::failure::Answer;
use super::super::labels::LabelSelector;
use super::super::query::DeleteOptions;
use super::super::source::Ids;
use super::super::store::{Store, StoredObject};
use super::super::user::User;
use super::super::work::ObjectKey;
use super::super::{delete, fields, metadata};
use super::{
    CLAIMS, DAEMON_SETS, DEPLOYMENTS, JOBS, PODS, REPLICA_SETS, Resource, STATEFUL_SETS,
    collection, number, patch_object, send,
};

/// The label of the pods of a Deployment that tells its templates apart.
const TEMPLATE_HASH: &str = "pod-template-hash";
/// The label of the pods of a `StatefulSet` or `DaemonSet` that tells its templates apart.
const REVISION_HASH: &str = "controller-revision-hash";
/// The annotation of a `ReplicaSet` with the number of its template.
const REVISION: &str = "deployment.kubernetes.io/revision";
/// The label and annotation of the pods of a Job that have numbers.
const COMPLETION_INDEX: &str = "batch.kubernetes.io/job-completion-index";

/// The maximum number of pods that are made for a workload.
const MAX_PODS: u64 = 500;
/// How many names are tried for an object whose name is that of another one.
const MAX_NAMES: u32 = 50;

/// A kind that owns pods or `ReplicaSet`s.
struct Owner {
    resource: Resource,
    api_version: &'static str,
    kind: &'static str,
    /// The service account of its controller.
    controller: &'static str,
}

const OWNERS: [Owner; 5] = [
    Owner {
        resource: DEPLOYMENTS,
        api_version: "apps/v1",
        kind: "Deployment",
        controller: "deployment-controller",
    },
    Owner {
        resource: REPLICA_SETS,
        api_version: "apps/v1",
        kind: "ReplicaSet",
        controller: "replicaset-controller",
    },
    Owner {
        resource: STATEFUL_SETS,
        api_version: "apps/v1",
        kind: "StatefulSet",
        controller: "statefulset-controller",
    },
    Owner {
        resource: DAEMON_SETS,
        api_version: "apps/v1",
        kind: "DaemonSet",
        controller: "daemon-set-controller",
    },
    Owner { resource: JOBS, api_version: "batch/v1", kind: "Job", controller: "job-controller" },
];

impl Owner {
    fn of(resource: Resource) -> Option<&'static Self> {
        OWNERS.iter().find(|owner| owner.resource == resource)
    }

    /// Returns the reference from an object to its controller. Source: `NewControllerRef`.
    fn reference(&self, owner: &Value) -> Value {
        json!({
            "apiVersion": self.api_version, "kind": self.kind,
            "name": metadata::text(owner, "name"), "uid": metadata::text(owner, "uid"),
            "controller": true, "blockOwnerDeletion": true,
        })
    }
}

/// Returns five characters that follow from a text.
fn hash(text: &str) -> String {
    // FNV-1a.
    let seed = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Ids::new(seed).name("")
}

/// Returns the name of the `ReplicaSet` of a Deployment or of the revision of a `StatefulSet`: that of the workload, and a
/// hash of the template.
pub(super) fn revision_name(workload: &Value) -> String {
    format!("{}-{}", metadata::text(workload, "name"), hash_of_template(workload))
}

fn hash_of_template(object: &Value) -> String {
    hash(&template(object).to_string())
}

fn template(object: &Value) -> Value {
    object.pointer("/spec/template").cloned().unwrap_or_default()
}

/// Returns the resource and the name of the workload that controls an object.
pub(super) fn controller_of(object: &Value) -> Option<(Resource, String)> {
    let owner = metadata::controller(object)?;
    let is_it = |of: &&Owner| owner["apiVersion"] == of.api_version && owner["kind"] == of.kind;
    Some((OWNERS.iter().find(is_it)?.resource, owner["name"].as_str()?.to_owned()))
}

/// Returns the key of the workload that controls a stored object.
pub(super) fn controller_key(object: &StoredObject) -> Option<ObjectKey> {
    let object = object.has_owners().then(|| object.object())?;
    let ((group, plural), name) = controller_of(&object)?;
    let namespace = metadata::text(&object, "namespace");
    Some((format!("{group}/{plural}").into(), format!("{namespace}/{name}").into()))
}

/// Makes, adopts, changes or deletes objects, so that a workload comes closer to what its spec wants. Returns whether
/// something has changed, and so whether more may be left to do.
///
/// # Errors
/// Returns the failure of the first request, or an error if webhooks have yet to be called.
pub(super) fn step(core: &mut Core, resource: Resource, object: &Value) -> Answer<bool> {
    let Some(owner) = Owner::of(resource) else { return Ok(false) };
    let before = core.store.revision();
    let done = match resource {
        DEPLOYMENTS => step_of_deployment(core, owner, object),
        STATEFUL_SETS | DAEMON_SETS => step_of_revisions(core, owner, object),
        _ => step_of_pods(core, owner, object),
    };
    let has_changed = core.store.revision() != before;
    match done {
        // What has been done stays. The rest gets a try of its own, whose ids are others.
        Err(_) if has_changed => core.webhook_calls.withdraw(),
        done => done?,
    }
    Ok(has_changed)
}

/// Source: `syncDeployment` of `pkg/controller/deployment/deployment_controller.go`, and `recreate.go`, `rolling.go` and
/// `sync.go` beside it. A rolling update makes all new pods first.
fn step_of_deployment(core: &mut Core, owner: &Owner, deployment: &Value) -> Answer<()> {
    let at = |path: &str| deployment.pointer(path).unwrap_or(&Value::Null);
    let replicas = number(deployment, "/spec/replicas", 1);
    let namespace = metadata::text(deployment, "namespace");
    let sets = owned(&core.store, deployment, REPLICA_SETS);
    let place = place(core, owner, deployment, REPLICA_SETS, &sets, &BTreeSet::new(), |attempt| {
        match attempt {
            0 => revision_name(deployment),
            _ => format!("{}{attempt}", revision_name(deployment)),
        }
    });
    let newest = sets.iter().map(revision).max().unwrap_or_default();
    if at("/spec/paused") == true {
        let current = sets.iter().find(|set| revision(set) == newest);
        return current.map_or(Ok(()), |set| scale(core, set, replicas));
    }
    let name = match place {
        Place::Kept(name) | Place::Missing(name) => name,
        Place::Orphan(name) => return adopt(core, owner, deployment, REPLICA_SETS, &name),
        Place::None => return Ok(()),
    };
    let (new, old): (Vec<&Value>, Vec<&Value>) =
        sets.iter().partition(|set| metadata::text(set, "name") == name);
    if at("/spec/strategy/type") == "Recreate" {
        for set in &old {
            scale(core, set, 0)?;
        }
        if old.iter().any(|set| !owned(&core.store, set, PODS).is_empty()) {
            return Ok(());
        }
    }
    match new.first() {
        None => {
            let set = replica_set(owner, deployment, &name, newest + 1);
            create(core, REPLICA_SETS, namespace, &set)?;
        }
        Some(set) => {
            scale(core, set, replicas)?;
            if revision(set) < newest {
                let path = "/metadata/annotations/deployment.kubernetes.io~1revision";
                let next = (newest + 1).to_string();
                let patch = json!([{"op": "add", "path": path, "value": next}]);
                patch_object(core, REPLICA_SETS, namespace, &name, "", &patch)?;
            }
        }
    }
    for set in old {
        scale(core, set, 0)?;
    }
    Ok(())
}

/// Source: `getNewReplicaSet` of `pkg/controller/deployment/sync.go`.
fn replica_set(owner: &Owner, deployment: &Value, name: &str, revision: u64) -> Value {
    let hash = name.rsplit('-').next().unwrap_or_default();
    let mut template = template(deployment);
    set_label(&mut template, TEMPLATE_HASH, hash);
    let mut selector = deployment.pointer("/spec/selector").cloned().unwrap_or_default();
    selector["matchLabels"][TEMPLATE_HASH] = hash.into();
    json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {
            "name": name, "labels": template.pointer("/metadata/labels"),
            "annotations": {REVISION: revision.to_string()},
            "ownerReferences": [owner.reference(deployment)],
        },
        "spec": {
            "replicas": number(deployment, "/spec/replicas", 1), "selector": selector,
            "template": template,
        },
    })
}

fn revision(set: &Value) -> u64 {
    let annotations = metadata::of(set).and_then(|metadata| metadata.get("annotations"));
    let text = annotations.and_then(|annotations| annotations.get(REVISION)?.as_str());
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn scale(core: &mut Core, set: &Value, replicas: u64) -> Answer<()> {
    if number(set, "/spec/replicas", 1) == replicas {
        return Ok(());
    }
    let (namespace, name) = (metadata::text(set, "namespace"), metadata::text(set, "name"));
    let patch = json!([{"op": "add", "path": "/spec/replicas", "value": replicas}]);
    patch_object(core, REPLICA_SETS, namespace, name, "", &patch)
}

/// Makes and deletes the pods of a `ReplicaSet` or a Job. Pods that have failed or are being deleted do not count.
/// Source: `manageReplicas` of `pkg/controller/replicaset/replica_set.go`, and `manageJob` of
/// `pkg/controller/job/job_controller.go`.
fn step_of_pods(core: &mut Core, owner: &Owner, object: &Value) -> Answer<()> {
    if owner.resource == JOBS && rests(object) {
        return Ok(());
    }
    let pods = owned(&core.store, object, PODS);
    let mut names = BTreeSet::new();
    let mut missing = Vec::new();
    for number in numbers(owner.resource, object) {
        let name = |attempt| pod_name(owner, object, number, attempt);
        match place(core, owner, object, PODS, &pods, &names, name) {
            Place::Kept(name) => _ = names.insert(name),
            Place::Orphan(name) => return adopt(core, owner, object, PODS, &name),
            Place::Missing(name) => {
                names.insert(name.clone());
                missing.push((number, name));
            }
            Place::None => {}
        }
    }
    for pod in pods.iter().filter(|pod| serves(owner.resource, pod)) {
        if !names.contains(metadata::text(pod, "name")) {
            delete(core, owner, pod)?;
        }
    }
    let namespace = metadata::text(object, "namespace");
    for (number, name) in missing {
        create(core, PODS, namespace, &pod(owner, object, number, &name))?;
    }
    Ok(())
}

/// Makes and deletes the pods of a `StatefulSet` or a `DaemonSet`, one at a time.
/// Source: `updateStatefulSet` of `pkg/controller/statefulset/stateful_set_control.go`, and
/// `pkg/controller/daemon/update.go`.
fn step_of_revisions(core: &mut Core, owner: &Owner, object: &Value) -> Answer<()> {
    let namespace = metadata::text(object, "namespace");
    let pods = owned(&core.store, object, PODS);
    if pods.iter().any(metadata::is_deleting) {
        return Ok(());
    }
    if let Some(pod) = pods.iter().find(|pod| !serves(owner.resource, pod)) {
        return delete(core, owner, pod);
    }
    let mut names = BTreeMap::new();
    for number in numbers(owner.resource, object) {
        let name = |attempt| pod_name(owner, object, number, attempt);
        match place(core, owner, object, PODS, &pods, &BTreeSet::new(), name) {
            Place::Kept(name) => _ = names.insert(name, number),
            Place::Orphan(name) => return adopt(core, owner, object, PODS, &name),
            Place::Missing(name) => {
                for claim in claims(object, &name) {
                    let key = format!("{namespace}/{}", metadata::text(&claim, "name"));
                    if core.store.get("/persistentvolumeclaims", &key).is_none() {
                        create(core, CLAIMS, namespace, &claim)?;
                    }
                }
                return create(core, PODS, namespace, &pod(owner, object, number, &name));
            }
            Place::None => {}
        }
    }
    // The highest first.
    let mut pods: Vec<&Value> = pods.iter().collect();
    pods.sort_by_key(|pod| std::cmp::Reverse(ordinal(pod)));
    let is_extra = |pod: &&Value| !names.contains_key(metadata::text(pod, "name"));
    if let Some(pod) = pods.iter().copied().find(is_extra) {
        return delete(core, owner, pod);
    }
    let strategy = object.pointer("/spec/updateStrategy").unwrap_or(&Value::Null);
    if fields::text(strategy, "type") == "OnDelete" {
        return Ok(());
    }
    let partition = number(strategy, "/rollingUpdate/partition", 0);
    let is_outdated = |pod: &&Value| is_outdated(owner.resource, object, pod);
    let outdated = pods.into_iter().find(|pod| {
        let number = names.get(metadata::text(pod, "name")).copied().unwrap_or_default();
        is_outdated(pod) && (owner.resource == DAEMON_SETS || number >= partition)
    });
    outdated.map_or(Ok(()), |pod| delete(core, owner, pod))
}

/// Returns the number at the end of a pod's name.
fn ordinal(pod: &Value) -> u64 {
    let number = metadata::text(pod, "name").rsplit('-').next().map(str::parse);
    number.and_then(Result::ok).unwrap_or_default()
}

/// Returns whether a pod has an old template. One whose label a webhook has removed counts as new.
fn is_outdated(resource: Resource, object: &Value, pod: &Value) -> bool {
    label(pod, REVISION_HASH)
        .is_some_and(|found| Some(found) != revision_label(resource, object).as_deref())
}

/// What is stored under the name of an object that a workload wants.
enum Place {
    /// An object of the workload.
    Kept(String),
    Missing(String),
    /// An object without a controller that the workload selects.
    Orphan(String),
    /// No name is free.
    None,
}

/// Returns what is stored under the first of the wanted names that neither `taken` nor an object of somebody else has.
fn place(
    core: &Core,
    owner: &Owner,
    object: &Value,
    resource: Resource,
    owned: &[Value],
    taken: &BTreeSet<String>,
    name: impl Fn(u32) -> String,
) -> Place {
    let namespace = metadata::text(object, "namespace");
    // The names of a `StatefulSet` are fixed.
    let attempts = if owner.resource == STATEFUL_SETS { 1 } else { MAX_NAMES };
    for name in (0..attempts).map(name).filter(|name| !taken.contains(name)) {
        if let Some(own) = owned.iter().find(|own| metadata::text(own, "name") == name) {
            if resource != PODS || serves(owner.resource, own) {
                return Place::Kept(name);
            }
            continue;
        }
        let key = format!("{namespace}/{name}");
        let Some(stored) = core.store.get(&format!("{}/{}", resource.0, resource.1), &key) else {
            return Place::Missing(name);
        };
        if is_orphan_of(core, object, &stored.object()) {
            return Place::Orphan(name);
        }
    }
    Place::None
}

/// Source: `ClaimObject` of `pkg/controller/controller_ref_manager.go`.
fn is_orphan_of(core: &Core, owner: &Value, object: &Value) -> bool {
    let selector = owner.get("spec").and_then(|spec| fields::object(spec, "selector"));
    let selector = selector.map(|it| LabelSelector::of_value(it, core.catalog.kubernetes));
    let is_selected = matches!(selector, Some(Ok(selector)) if selector.matches(object));
    is_selected && !metadata::is_deleting(object) && metadata::controller(object).is_none()
}

fn adopt(
    core: &mut Core,
    owner: &Owner,
    object: &Value,
    resource: Resource,
    name: &str,
) -> Answer<()> {
    let namespace = metadata::text(object, "namespace");
    let key = format!("{namespace}/{name}");
    let stored = core.store.get(&format!("{}/{}", resource.0, resource.1), &key);
    let mut owners = stored.map(|stored| metadata::owners(&stored.object())).unwrap_or_default();
    owners.push(owner.reference(object));
    let patch = json!([{"op": "add", "path": "/metadata/ownerReferences", "value": owners}]);
    patch_object(core, resource, namespace, name, "", &patch)
}

/// Returns whether a pod counts for its workload. Source: `FilterActivePods` of `pkg/controller/controller_utils.go`.
fn serves(resource: Resource, pod: &Value) -> bool {
    let phase = pod.pointer("/status/phase").and_then(Value::as_str).unwrap_or_default();
    let has_ended = phase == "Failed" || (phase == "Succeeded" && resource != JOBS);
    !has_ended && !metadata::is_deleting(pod)
}

/// Returns whether a Job is suspended or has ended.
pub(super) fn rests(job: &Value) -> bool {
    let conditions = job.get("status").into_iter().flat_map(|it| fields::list(it, "conditions"));
    let mut ends = conditions.filter(|it| it["type"] == "Complete" || it["type"] == "Failed");
    job.pointer("/spec/suspend") == Some(&Value::Bool(true))
        || ends.any(|it| it["status"] == "True")
}

/// Returns the numbers of the pods that a workload wants.
fn numbers(resource: Resource, owner: &Value) -> Range<u64> {
    let (first, count) = match resource {
        DAEMON_SETS => (0, 1),
        STATEFUL_SETS => {
            (number(owner, "/spec/ordinals/start", 0), number(owner, "/spec/replicas", 1))
        }
        JOBS => (0, wanted_of_job(owner)),
        _ => (0, number(owner, "/spec/replicas", 1)),
    };
    first..first.saturating_add(count.min(MAX_PODS))
}

/// Returns the number of pods of a Job that have to succeed.
pub(super) fn wanted_of_job(job: &Value) -> u64 {
    number(job, "/spec/completions", number(job, "/spec/parallelism", 1))
}

fn pod_name(owner: &Owner, object: &Value, number: u64, attempt: u32) -> String {
    let name = metadata::text(object, "name");
    let suffix = || hash(&format!("{}/{name}/{number}/{attempt}", owner.kind));
    match owner.resource {
        STATEFUL_SETS => format!("{name}-{number}"),
        JOBS if is_indexed(object) => format!("{name}-{number}-{}", suffix()),
        _ => format!("{name}-{}", suffix()),
    }
}

fn is_indexed(job: &Value) -> bool {
    job.pointer("/spec/completionMode").and_then(Value::as_str) == Some("Indexed")
}

/// Returns the label of the pods that have the newest template, for kinds that replace the others themselves.
fn revision_label(resource: Resource, owner: &Value) -> Option<String> {
    match resource {
        DAEMON_SETS => Some(hash_of_template(owner)),
        STATEFUL_SETS => Some(revision_name(owner)),
        _ => None,
    }
}

/// Returns a pod of a workload.
///
/// Source: `GetPodFromTemplate` of `pkg/controller/controller_utils.go`, `newVersionedStatefulSetPod` of
/// `pkg/controller/statefulset/stateful_set_utils.go`, and `addCompletionIndexAnnotation` of
/// `pkg/controller/job/indexed_job_utils.go`.
fn pod(owner: &Owner, object: &Value, number: u64, name: &str) -> Value {
    let mut pod = template(object);
    pod["apiVersion"] = "v1".into();
    pod["kind"] = "Pod".into();
    metadata::set_text(&mut pod, "name", name);
    let reference = owner.reference(object);
    metadata::of_mut(&mut pod).insert("ownerReferences".to_owned(), json!([reference]));
    if let Some(revision) = revision_label(owner.resource, object) {
        set_label(&mut pod, REVISION_HASH, &revision);
    }
    let number = number.to_string();
    if owner.resource == STATEFUL_SETS {
        set_label(&mut pod, "statefulset.kubernetes.io/pod-name", name);
        set_label(&mut pod, "apps.kubernetes.io/pod-index", &number);
        pod["spec"]["hostname"] = name.into();
        if let Some(service) = object.pointer("/spec/serviceName") {
            pod["spec"]["subdomain"] = service.clone();
        }
        mount_claims(&mut pod, object, name);
    }
    if owner.resource == JOBS && is_indexed(object) {
        set_label(&mut pod, COMPLETION_INDEX, &number);
        pod["spec"]["hostname"] = format!("{}-{number}", metadata::text(object, "name")).into();
        pod["metadata"]["annotations"][COMPLETION_INDEX] = number.into();
    }
    pod
}

/// Returns the claims of a pod of a `StatefulSet`. Source: `getPersistentVolumeClaims`.
fn claims(owner: &Value, pod: &str) -> Vec<Value> {
    let spec = owner.get("spec").into_iter();
    let templates = spec.flat_map(|spec| fields::list(spec, "volumeClaimTemplates"));
    let claim = |template: &Value| {
        let mut claim = template.clone();
        let name = format!("{}-{pod}", metadata::text(template, "name"));
        metadata::set_text(&mut claim, "name", &name);
        let labels = owner.pointer("/spec/selector/matchLabels").and_then(Value::as_object);
        for (key, value) in labels.into_iter().flatten() {
            set_label(&mut claim, key, value.as_str().unwrap_or_default());
        }
        claim
    };
    templates.map(claim).collect()
}

/// Replaces the volumes of a pod that have the names of claims. Source: `updateStorage`.
fn mount_claims(pod: &mut Value, owner: &Value, pod_name: &str) {
    let spec = owner.get("spec").into_iter();
    let templates = spec.flat_map(|spec| fields::list(spec, "volumeClaimTemplates"));
    let names: Vec<&str> = templates.map(|template| metadata::text(template, "name")).collect();
    let known = pod.pointer("/spec/volumes").and_then(Value::as_array).into_iter().flatten();
    let others = known.filter(|volume| !names.iter().any(|name| volume["name"] == *name)).cloned();
    let claimed = names.iter().map(|name| {
        json!({"name": name, "persistentVolumeClaim": {"claimName": format!("{name}-{pod_name}")}})
    });
    let volumes: Vec<Value> = others.chain(claimed).collect();
    if !volumes.is_empty() {
        pod["spec"]["volumes"] = volumes.into();
    }
}

/// How many pods a workload has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pods {
    /// How many its spec wants.
    pub(super) wanted: u64,
    pub(super) existing: u64,
    /// How many have the newest template.
    pub(super) updated: u64,
    pub(super) ready: u64,
    pub(super) succeeded: u64,
}

impl Pods {
    /// All that are wanted: ready, and with the newest template.
    pub(super) fn all(wanted: u64) -> Self {
        Self { wanted, existing: wanted, updated: wanted, ready: wanted, succeeded: 0 }
    }

    /// Counts the pods of a workload; those of a Deployment by the statuses of its sets.
    pub(super) fn of(store: &Store, resource: Resource, object: &Value) -> Self {
        let wanted = match resource {
            JOBS => wanted_of_job(object),
            DAEMON_SETS => 1,
            _ => number(object, "/spec/replicas", 1),
        };
        let mut counts = Self { wanted, existing: 0, updated: 0, ready: 0, succeeded: 0 };
        if resource == DEPLOYMENTS {
            let name = revision_name(object);
            for set in owned(store, object, REPLICA_SETS) {
                let existing = number(&set, "/status/replicas", 0);
                counts.existing += existing;
                counts.ready += number(&set, "/status/readyReplicas", 0);
                let is_new = metadata::text(&set, "name").starts_with(&name);
                counts.updated += if is_new { existing } else { 0 };
            }
            return counts;
        }
        for pod in owned(store, object, PODS).iter().filter(|pod| serves(resource, pod)) {
            let has_succeeded = pod.pointer("/status/phase") == Some(&"Succeeded".into());
            counts.succeeded += u64::from(has_succeeded);
            counts.existing += u64::from(!has_succeeded);
            counts.updated += u64::from(!is_outdated(resource, object, pod));
            counts.ready += u64::from(is_ready(pod));
        }
        counts
    }
}

/// Returns whether a pod has the condition `Ready`.
pub(super) fn is_ready(pod: &Value) -> bool {
    let mut conditions =
        pod.get("status").into_iter().flat_map(|it| fields::list(it, "conditions"));
    conditions.any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

/// Returns the stored objects of a resource that a workload controls.
fn owned(store: &Store, owner: &Value, (group, plural): Resource) -> Vec<Value> {
    let (uid, resource) = (metadata::text(owner, "uid"), format!("{group}/{plural}"));
    let keys = store.dependents_of(uid).into_iter().filter(|(of, _)| **of == *resource);
    let objects = keys.filter_map(|(of, key)| Some(store.get(&of, &key)?.object()));
    let is_controlled =
        |object: &Value| metadata::controller(object).is_some_and(|owner| owner["uid"] == uid);
    objects.filter(is_controlled).collect()
}

fn label<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    metadata::of(object)?.get("labels")?.get(key)?.as_str()
}

fn set_label(object: &mut Value, key: &str, value: &str) {
    let labels = metadata::of_mut(object).entry("labels").or_insert_with(|| Map::new().into());
    labels[key] = value.into();
}

fn create(core: &mut Core, resource: Resource, namespace: &str, object: &Value) -> Answer<()> {
    send(core, Request::post(collection(resource, namespace)), object)
}

fn delete(core: &mut Core, owner: &Owner, pod: &Value) -> Answer<()> {
    let key = format!("{}/{}", metadata::text(pod, "namespace"), metadata::text(pod, "name"));
    let user = User::service_account("kube-system", owner.controller);
    let options = DeleteOptions::default();
    delete::delete_stored(core, &("/pods".into(), key.into()), &options, Some(user.into()))
}
