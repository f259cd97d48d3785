//! The objects that controllers make for workloads: the `ReplicaSet`s of Deployments, and the pods and claims of the others.
//!
//! In a cluster, the names of pods end in random characters. Here they follow from the name of the owner and the number of
//! the pod, so that a test that runs twice has the same objects.

use std::ops::Range;

use http::{Method, Request, header};
use serde_json::{Map, Value, json};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::query::DeleteOptions;
use super::super::source::Ids;
use super::super::store::{Store, StoredObject};
use super::super::update::CONTROLLER_MANAGER;
use super::super::user::User;
use super::super::work::ObjectKey;
use super::super::{delete, fields, handler, metadata};
use super::{
    CLAIMS, DAEMON_SETS, DEPLOYMENTS, JOBS, PODS, REPLICA_SETS, Resource, STATEFUL_SETS,
    collection, number, patch_object,
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

/// The kinds that own pods or `ReplicaSet`s.
const OWNERS: [(&str, Resource); 5] = [
    ("Deployment", DEPLOYMENTS),
    ("ReplicaSet", REPLICA_SETS),
    ("StatefulSet", STATEFUL_SETS),
    ("DaemonSet", DAEMON_SETS),
    ("Job", JOBS),
];

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
    let owners = metadata::owners(object);
    let owner = owners.iter().find(|owner| owner["controller"] == true)?;
    let (_, resource) = OWNERS.into_iter().find(|(kind, _)| owner["kind"] == *kind)?;
    Some((resource, owner["name"].as_str()?.to_owned()))
}

/// Returns the key of the workload that controls a stored object.
pub(super) fn controller_key(object: &StoredObject) -> Option<ObjectKey> {
    let object = object.has_owners().then(|| object.object())?;
    let ((group, plural), name) = controller_of(&object)?;
    let namespace = metadata::text(&object, "namespace");
    Some((format!("{group}/{plural}").into(), format!("{namespace}/{name}").into()))
}

/// Makes, changes or deletes one object, so that a workload comes closer to what its spec wants. Returns `false` if there
/// is nothing to do.
///
/// One at a time, because a webhook may have to be called for each.
///
/// # Errors
/// Returns the failure of the request, or an error if webhooks have yet to be called.
pub(super) fn step(core: &mut Core, resource: Resource, owner: &Value) -> Answer<bool> {
    match resource {
        DEPLOYMENTS => step_of_deployment(core, owner),
        REPLICA_SETS | STATEFUL_SETS | DAEMON_SETS | JOBS => step_of_pods(core, resource, owner),
        _ => Ok(false),
    }
}

/// Source: `getNewReplicaSet` of `pkg/controller/deployment/sync.go`; the old sets are scaled down at once.
fn step_of_deployment(core: &mut Core, deployment: &Value) -> Answer<bool> {
    if deployment.pointer("/spec/paused") == Some(&Value::Bool(true)) {
        return Ok(false);
    }
    let name = revision_name(deployment);
    let namespace = metadata::text(deployment, "namespace");
    let owned = owned(&core.store, deployment, REPLICA_SETS);
    let replicas = number(deployment, "/spec/replicas", 1);
    for set in &owned {
        let set_name = metadata::text(set, "name");
        let want = if set_name == name { replicas } else { 0 };
        if number(set, "/spec/replicas", 1) != want {
            let patch = json!([{"op": "add", "path": "/spec/replicas", "value": want}]);
            patch_object(core, REPLICA_SETS, namespace, set_name, "", &patch)?;
            return Ok(true);
        }
    }
    if owned.iter().any(|set| metadata::text(set, "name") == name) {
        return Ok(false);
    }
    let revisions = owned.iter().filter_map(|set| {
        let annotations = metadata::of(set)?.get("annotations")?;
        annotations.get(REVISION)?.as_str()?.parse::<u64>().ok()
    });
    let revision = revisions.max().unwrap_or_default() + 1;
    let hash = hash_of_template(deployment);
    let mut template = template(deployment);
    set_label(&mut template, TEMPLATE_HASH, &hash);
    let mut selector = deployment.pointer("/spec/selector").cloned().unwrap_or_default();
    selector["matchLabels"][TEMPLATE_HASH] = hash.into();
    let set = json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {
            "name": name, "labels": template.pointer("/metadata/labels"),
            "annotations": {REVISION: revision.to_string()},
            "ownerReferences": [reference("apps/v1", "Deployment", deployment)],
        },
        "spec": {"replicas": replicas, "selector": selector, "template": template},
    });
    create(core, REPLICA_SETS, namespace, &set)
}

/// Makes or deletes a pod, or makes a claim of a pod.
fn step_of_pods(core: &mut Core, resource: Resource, owner: &Value) -> Answer<bool> {
    let is_suspended = owner.pointer("/spec/suspend") == Some(&Value::Bool(true));
    if resource == JOBS && (is_suspended || has_ended(owner)) {
        return Ok(false);
    }
    let namespace = metadata::text(owner, "namespace");
    let wanted: Vec<(u64, String)> = numbers(resource, owner)
        .map(|number| (number, pod_name(resource, owner, number)))
        .collect();
    let revision = revision(resource, owner);
    let is_current = |pod: &Value| {
        let name = metadata::text(pod, "name");
        let is_same = revision.is_none() || label(pod, REVISION_HASH) == revision.as_deref();
        is_same && wanted.iter().any(|(_, wanted)| wanted == name)
    };
    let owned = owned(&core.store, owner, PODS);
    let outdated = owned.iter().find(|pod| !metadata::is_deleting(pod) && !is_current(pod));
    if let Some(pod) = outdated {
        let key = format!("{namespace}/{}", metadata::text(pod, "name"));
        let user = User::service_account("kube-system", "pod-controller");
        let options = DeleteOptions::default();
        delete::delete_stored(core, &("/pods".into(), key.into()), &options, Some(user.into()))?;
        return Ok(true);
    }
    let is_missing = |store: &Store, (group, plural): Resource, name: &str| {
        store.get(&format!("{group}/{plural}"), &format!("{namespace}/{name}")).is_none()
    };
    for (number, name) in &wanted {
        if !is_missing(&core.store, PODS, name) {
            continue;
        }
        for claim in claims(owner, name) {
            if is_missing(&core.store, CLAIMS, metadata::text(&claim, "name")) {
                return create(core, CLAIMS, namespace, &claim);
            }
        }
        return create(core, PODS, namespace, &pod(resource, owner, *number, name));
    }
    Ok(false)
}

fn has_ended(job: &Value) -> bool {
    let conditions = job.get("status").into_iter().flat_map(|it| fields::list(it, "conditions"));
    let mut ends = conditions.filter(|it| it["type"] == "Complete" || it["type"] == "Failed");
    ends.any(|it| it["status"] == "True")
}

/// Returns the numbers of the pods that a workload wants.
fn numbers(resource: Resource, owner: &Value) -> Range<u64> {
    let replicas = || number(owner, "/spec/replicas", 1);
    let (first, count) = match resource {
        DAEMON_SETS => (0, 1),
        STATEFUL_SETS => (number(owner, "/spec/ordinals/start", 0), replicas()),
        JOBS => (0, number(owner, "/spec/completions", number(owner, "/spec/parallelism", 1))),
        _ => (0, replicas()),
    };
    first..first.saturating_add(count.min(MAX_PODS))
}

fn pod_name(resource: Resource, owner: &Value, number: u64) -> String {
    let name = metadata::text(owner, "name");
    match resource {
        STATEFUL_SETS => format!("{name}-{number}"),
        JOBS if is_indexed(owner) => {
            format!("{name}-{number}-{}", hash(&format!("{name}/{number}")))
        }
        _ => format!("{name}-{}", hash(&format!("{name}/{number}"))),
    }
}

fn is_indexed(job: &Value) -> bool {
    job.pointer("/spec/completionMode").and_then(Value::as_str) == Some("Indexed")
}

/// Returns the label of the pods that have the newest template, for kinds that replace the others themselves.
fn revision(resource: Resource, owner: &Value) -> Option<String> {
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
fn pod(resource: Resource, owner: &Value, number: u64, name: &str) -> Value {
    let kind =
        OWNERS.into_iter().find(|(_, owner)| *owner == resource).map_or("", |(kind, _)| kind);
    let reference = reference(&format!("{}/v1", resource.0), kind, owner);
    let mut pod = template(owner);
    pod["apiVersion"] = "v1".into();
    pod["kind"] = "Pod".into();
    metadata::set_text(&mut pod, "name", name);
    metadata::of_mut(&mut pod).insert("ownerReferences".to_owned(), json!([reference]));
    if let Some(revision) = revision(resource, owner) {
        set_label(&mut pod, REVISION_HASH, &revision);
    }
    let number = number.to_string();
    if resource == STATEFUL_SETS {
        set_label(&mut pod, "statefulset.kubernetes.io/pod-name", name);
        set_label(&mut pod, "apps.kubernetes.io/pod-index", &number);
        pod["spec"]["hostname"] = name.into();
        if let Some(service) = owner.pointer("/spec/serviceName") {
            pod["spec"]["subdomain"] = service.clone();
        }
        mount_claims(&mut pod, owner, name);
    }
    if resource == JOBS && is_indexed(owner) {
        set_label(&mut pod, COMPLETION_INDEX, &number);
        pod["spec"]["hostname"] = format!("{}-{number}", metadata::text(owner, "name")).into();
        pod["metadata"]["annotations"][COMPLETION_INDEX] = number.into();
    }
    pod
}

/// Returns the claims of a pod of a `StatefulSet`. Source: `getPersistentVolumeClaims`.
fn claims(owner: &Value, pod: &str) -> Vec<Value> {
    let templates =
        owner.get("spec").into_iter().flat_map(|it| fields::list(it, "volumeClaimTemplates"));
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
    let templates =
        owner.get("spec").into_iter().flat_map(|it| fields::list(it, "volumeClaimTemplates"));
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

/// Returns the stored objects of a resource that a workload controls.
fn owned(store: &Store, owner: &Value, (group, plural): Resource) -> Vec<Value> {
    let uid = metadata::text(owner, "uid");
    let resource = format!("{group}/{plural}");
    let keys = store.dependents_of(uid).into_iter().filter(|(of, _)| **of == *resource);
    let objects = keys.filter_map(|(of, key)| Some(store.get(&of, &key)?.object()));
    let is_controlled = |object: &Value| {
        let mut owners = metadata::owners(object).into_iter();
        owners.any(|owner| owner["uid"] == uid && owner["controller"] == true)
    };
    objects.filter(is_controlled).collect()
}

/// Source: `NewControllerRef`.
fn reference(version: &str, kind: &str, owner: &Value) -> Value {
    json!({
        "apiVersion": version, "kind": kind, "name": metadata::text(owner, "name"),
        "uid": metadata::text(owner, "uid"), "controller": true, "blockOwnerDeletion": true,
    })
}

fn label<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    metadata::of(object)?.get("labels")?.get(key)?.as_str()
}

fn set_label(object: &mut Value, key: &str, value: &str) {
    let labels = metadata::of_mut(object).entry("labels").or_insert_with(|| Map::new().into());
    labels[key] = value.into();
}

fn create(core: &mut Core, resource: Resource, namespace: &str, object: &Value) -> Answer<bool> {
    let request = Request::builder()
        .method(Method::POST)
        .uri(collection(resource, namespace))
        .header(header::USER_AGENT, CONTROLLER_MANAGER)
        .body(object.to_string().into_bytes());
    let request = request.map_err(|error| Failure::bad_request(error.to_string()))?;
    handler::route(core, &request, &mut Vec::new())?;
    Ok(true)
}
