//! Columns of persistent volumes and their claims. Source: `printPersistentVolume`, `printPersistentVolumeClaim`.

use std::time::SystemTime;

use serde_json::Value;

use super::DescriptionSource::{Field, Text};
use super::{AGE, NAME, Printer, age, is_deleted, list, name, str_at, text, text_or};

pub(super) const VOLUME: Printer = (
    &[
        NAME,
        ("Capacity", "string", 0, Field(&["spec", "capacity"])),
        ("Access Modes", "string", 0, Field(&["spec", "accessModes"])),
        ("Reclaim Policy", "string", 0, Field(&["spec", "persistentVolumeReclaimPolicy"])),
        ("Status", "string", 0, Field(&["status", "phase"])),
        ("Claim", "string", 0, Field(&["spec", "claimRef"])),
        ("StorageClass", "string", 0, Text("StorageClass of the pv")),
        ("VolumeAttributesClass", "string", 0, Text("VolumeAttributesClass of the pv")),
        ("Reason", "string", 0, Field(&["status", "reason"])),
        AGE,
        ("VolumeMode", "string", 1, Field(&["spec", "volumeMode"])),
    ],
    volume,
);

pub(super) const CLAIM: Printer = (
    &[
        NAME,
        ("Status", "string", 0, Field(&["status", "phase"])),
        ("Volume", "string", 0, Field(&["spec", "volumeName"])),
        ("Capacity", "string", 0, Field(&["status", "capacity"])),
        ("Access Modes", "string", 0, Field(&["status", "accessModes"])),
        ("StorageClass", "string", 0, Text("StorageClass of the pvc")),
        ("VolumeAttributesClass", "string", 0, Text("VolumeAttributesClass of the pvc")),
        AGE,
        ("VolumeMode", "string", 1, Field(&["spec", "volumeMode"])),
    ],
    claim,
);

fn volume(object: &Value, now: SystemTime) -> Vec<Value> {
    let claim = object.pointer("/spec/claimRef").filter(|it| it.is_object());
    let claim = claim
        .map(|claim| format!("{}/{}", str_at(claim, "/namespace"), str_at(claim, "/name")))
        .unwrap_or_default();
    vec![
        name(object),
        text_or(object, "/spec/capacity/storage", "0"),
        access_modes(list(object, "/spec/accessModes")).into(),
        text(object, "/spec/persistentVolumeReclaimPolicy"),
        phase(object),
        claim.into(),
        class(object),
        text_or_unset(object, "/spec/volumeAttributesClassName"),
        text(object, "/status/reason"),
        age(object, now),
        text_or_unset(object, "/spec/volumeMode"),
    ]
}

fn claim(object: &Value, now: SystemTime) -> Vec<Value> {
    let is_bound = !str_at(object, "/spec/volumeName").is_empty();
    let (capacity, modes) = if is_bound {
        let modes = access_modes(list(object, "/status/accessModes"));
        (text_or(object, "/status/capacity/storage", "0"), modes)
    } else {
        ("".into(), String::new())
    };
    vec![
        name(object),
        phase(object),
        text(object, "/spec/volumeName"),
        capacity,
        modes.into(),
        class(object),
        text_or_unset(object, "/spec/volumeAttributesClassName"),
        age(object, now),
        text_or_unset(object, "/spec/volumeMode"),
    ]
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
