//! Claims, volumes and classes of attributes that are in use, which finalizers protect from removal.
//!
//! Source: `pkg/controller/volume/pvcprotection`, `pvprotection` and `vacprotection` of kubernetes/kubernetes.

use std::sync::Arc;

use serde_json::Value;

use super::super::core::Core;
use super::super::failure::Answer;
use super::super::preparation::{CLAIM_FINALIZER, CLASS_FINALIZER, VOLUME_FINALIZER};
use super::super::store::{Store, StoredObject};
use super::super::target::Part;
use super::super::work::{ObjectKey, Work, WorkQueue};
use super::super::{metadata, update};
use super::gc;

const CLAIMS: &str = "/persistentvolumeclaims";
const VOLUMES: &str = "/persistentvolumes";
const CLASSES: &str = "storage.k8s.io/volumeattributesclasses";
const PODS: &str = "/pods";

/// Adds the claims, volumes and classes whose protection a change of an object may end.
pub(super) fn owe(
    queue: &mut WorkQueue,
    store: &Store,
    object: &ObjectKey,
    after: Option<&StoredObject>,
) {
    if matches!(&*object.0, CLAIMS | VOLUMES) && store.deleting() > 0 {
        for (key, _) in store.list(CLASSES, "").filter(|(_, class)| class.is_deleting()) {
            queue.add(Work::Protection((CLASSES.into(), Arc::clone(key))));
        }
    }
    match &*object.0 {
        CLAIMS | VOLUMES | CLASSES if after.is_some_and(StoredObject::is_deleting) => {
            queue.add(Work::Protection(object.clone()));
        }
        PODS if store.deleting() > 0 => {
            let Some((namespace, _)) = object.1.split_once('/') else { return };
            let claims = format!("{namespace}/");
            for (key, _) in store.list(CLAIMS, &claims).filter(|(_, claim)| claim.is_deleting()) {
                queue.add(Work::Protection((CLAIMS.into(), Arc::clone(key))));
            }
        }
        _ => {}
    }
}

/// Removes the finalizer of a claim that no pod uses, of a volume that is not bound, or of a class that no claim or volume
/// refers to, while it is being deleted.
pub(super) fn end_protection(core: &mut Core, key: &ObjectKey) -> Answer<()> {
    let Some(object) = gc::read_object(&core.store, key).filter(metadata::is_deleting) else {
        return Ok(());
    };
    let (finalizer, controller) = match &*key.0 {
        CLAIMS => (CLAIM_FINALIZER, "pvc-protection-controller"),
        CLASSES => (CLASS_FINALIZER, "vac-protection-controller"),
        _ => (VOLUME_FINALIZER, "pv-protection-controller"),
    };
    let is_protected = metadata::finalizers(&object).iter().any(|it| it == finalizer);
    let is_used = match &*key.0 {
        CLAIMS => is_claim_used(&core.store, &object),
        CLASSES => is_class_used(&core.store, metadata::text(&object, "name")),
        _ => object.pointer("/status/phase").is_some_and(|phase| phase == "Bound"),
    };
    if !is_protected || is_used {
        return Ok(());
    }
    update::change_as(core, controller, key, Part::Object, &|object| {
        metadata::remove_finalizer(object, finalizer);
    })
}

/// Returns whether a pod that has been scheduled uses a claim. Source: `podUsesPVCForDeletion`.
fn is_claim_used(store: &Store, claim: &Value) -> bool {
    let name = metadata::text(claim, "name");
    let prefix = format!("{}/", metadata::text(claim, "namespace"));
    store.list(PODS, &prefix).any(|(_, pod)| {
        let pod = pod.object();
        let text = |value: &Value, at: &str| {
            value.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        if text(&pod, "/spec/nodeName").is_empty() {
            return false;
        }
        let volumes = pod.pointer("/spec/volumes").and_then(Value::as_array);
        volumes.into_iter().flatten().any(|volume| {
            let is_ephemeral = volume.get("ephemeral").is_some_and(|it| !it.is_null());
            let ephemeral =
                || format!("{}-{}", metadata::text(&pod, "name"), text(volume, "/name"));
            text(volume, "/persistentVolumeClaim/claimName") == name
                || is_ephemeral
                    && !is_shut_down(&pod)
                    && ephemeral() == name
                    && is_controlled_by(claim, &pod)
        })
    })
}

/// Returns whether a claim or a volume refers to a class of attributes. Source: `getPVCReferencedVACNames` and
/// `getPVReferencedVACNames`.
fn is_class_used(store: &Store, name: &str) -> bool {
    let stored = store.list(CLAIMS, "").chain(store.list(VOLUMES, ""));
    let mut objects = stored.map(|(_, stored)| stored.object());
    objects.any(|object| {
        let at = |path: &str| object.pointer(path).and_then(Value::as_str) == Some(name);
        at("/spec/volumeAttributesClassName")
            || at("/status/currentVolumeAttributesClassName")
            || at("/status/modifyVolumeStatus/targetVolumeAttributesClassName")
    })
}

/// Returns whether a pod only waits for its removal.
fn is_shut_down(pod: &Value) -> bool {
    let grace = pod.pointer("/metadata/deletionGracePeriodSeconds").and_then(Value::as_i64);
    metadata::is_deleting(pod) && grace == Some(0)
}

/// Returns whether an object is the controller of another.
fn is_controlled_by(object: &Value, controller: &Value) -> bool {
    metadata::controller(object)
        .is_some_and(|owner| owner["uid"] == metadata::text(controller, "uid"))
}
