//! Columns of persistent volumes and their claims. Source: `printPersistentVolume`, `printPersistentVolumeClaim`.

use serde_json::Value;

use super::{
    AGE, Column, Field, NAME, STRING, Text, is_deleted, list, of, str_at, text, text_of, text_or,
};

const ATTRIBUTES_CLASS: &str = "/spec/volumeAttributesClassName";
const MODE: Column =
    of("VolumeMode", STRING, Field("/spec/volumeMode"), |it| text_or_unset(it, "/spec/volumeMode"))
        .wide();

pub(super) const VOLUME: &[Column] = &[
    NAME,
    of("Capacity", STRING, Field("/spec/capacity"), |it| {
        text_or(it, "/spec/capacity/storage", "0")
    }),
    of("Access Modes", STRING, Field("/spec/accessModes"), |it| {
        access_modes(list(it, "/spec/accessModes")).into()
    }),
    text_of("Reclaim Policy", "/spec/persistentVolumeReclaimPolicy"),
    of("Status", STRING, Field("/status/phase"), phase),
    of("Claim", STRING, Field("/spec/claimRef"), |it| {
        let claim = it.pointer("/spec/claimRef").filter(|it| it.is_object());
        let name = |it| format!("{}/{}", str_at(it, "/namespace"), str_at(it, "/name"));
        claim.map(name).unwrap_or_default().into()
    }),
    of("StorageClass", STRING, Text("StorageClass of the pv"), class),
    of("VolumeAttributesClass", STRING, Text("VolumeAttributesClass of the pv"), |it| {
        text_or_unset(it, ATTRIBUTES_CLASS)
    }),
    text_of("Reason", "/status/reason"),
    AGE,
    MODE,
];

pub(super) const CLAIM: &[Column] = &[
    NAME,
    of("Status", STRING, Field("/status/phase"), phase),
    text_of("Volume", "/spec/volumeName"),
    of("Capacity", STRING, Field("/status/capacity"), |it| {
        if is_bound(it) { text_or(it, "/status/capacity/storage", "0") } else { "".into() }
    }),
    of("Access Modes", STRING, Field("/status/accessModes"), |it| {
        if is_bound(it) { access_modes(list(it, "/status/accessModes")).into() } else { "".into() }
    }),
    of("StorageClass", STRING, Text("StorageClass of the pvc"), class),
    of("VolumeAttributesClass", STRING, Text("VolumeAttributesClass of the pvc"), |it| {
        text_or_unset(it, ATTRIBUTES_CLASS)
    }),
    AGE,
    MODE,
];

fn is_bound(claim: &Value) -> bool {
    !str_at(claim, "/spec/volumeName").is_empty()
}

fn phase(object: &Value) -> Value {
    if is_deleted(object) { "Terminating".into() } else { text(object, "/status/phase") }
}

/// Returns the storage class, which an annotation overrides.
/// Source: `GetPersistentVolumeClass`, `GetPersistentVolumeClaimClass` of `pkg/apis/core/v1/helper`.
fn class(object: &Value) -> Value {
    let annotation =
        object.pointer("/metadata/annotations/volume.beta.kubernetes.io~1storage-class");
    annotation.cloned().unwrap_or_else(|| text(object, "/spec/storageClassName"))
}

fn text_or_unset(object: &Value, pointer: &str) -> Value {
    let found = object.pointer(pointer).filter(|it| it.is_string()).cloned();
    found.unwrap_or_else(|| "<unset>".into())
}

/// Returns access modes as `RWO,ROX`. Source: `GetAccessModesAsString` of `pkg/apis/core/v1/helper`.
fn access_modes(modes: &[Value]) -> String {
    let short = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let found = short.iter().filter(|(mode, _)| modes.iter().any(|it| it == mode));
    found.map(|(_, short)| *short).collect::<Vec<_>>().join(",")
}
