//! Columns of classes, and of the kinds of the Container Storage Interface.
//!
//! Source: `printStorageClass`, `printPriorityClass`, `printRuntimeClass`, `printIngressClass`, `printVolumeAttachment`,
//! `printCSINode`, `printCSIDriver`.

use serde_json::Value;

use super::super::metadata;
use super::{
    AGE, Column, Description, Field, INTEGER, NAME, STRING, Text, list, number_of, of, str_at,
    text_of, text_or,
};

const BOOLEAN: &str = "boolean";

/// A column of a field that is true or false; `default` if it is missing.
const fn flag_of(name: &'static str, pointer: &'static str, cell: fn(&Value) -> Value) -> Column {
    of(name, BOOLEAN, Field(pointer), cell)
}

fn flag(object: &Value, pointer: &str, default: bool) -> Value {
    object.pointer(pointer).and_then(Value::as_bool).unwrap_or(default).into()
}

pub(super) const STORAGE_CLASS: &[Column] = &[
    NAME,
    text_of("Provisioner", "/provisioner"),
    of("ReclaimPolicy", STRING, Field("/reclaimPolicy"), |it| {
        text_or(it, "/reclaimPolicy", "Delete")
    }),
    of("VolumeBindingMode", STRING, Field("/volumeBindingMode"), |it| {
        text_or(it, "/volumeBindingMode", "Immediate")
    }),
    of("AllowVolumeExpansion", STRING, Field("/allowVolumeExpansion"), |it| {
        flag(it, "/allowVolumeExpansion", false)
    }),
    AGE,
];

pub(super) const PRIORITY_CLASS: &[Column] = &[
    NAME,
    number_of("Value", INTEGER, "/value"),
    flag_of("Global-Default", "/globalDefault", |it| flag(it, "/globalDefault", false)),
    AGE,
    text_of("PreemptionPolicy", "/preemptionPolicy"),
];

pub(super) const RUNTIME_CLASS: &[Column] = &[
    NAME,
    // Upstream: the description is looked up in the metadata, which has no such field.
    of("Handler", STRING, Text(""), |it| it["handler"].clone()),
    AGE,
];

pub(super) const INGRESS_CLASS: &[Column] = &[
    of("Name", STRING, Description::Name, |it| {
        let annotations = "/metadata/annotations/ingressclass.kubernetes.io~1is-default-class";
        let is_default = str_at(it, annotations) == "true";
        let name = metadata::text(it, "name");
        format!("{name}{}", if is_default { " (default)" } else { "" }).into()
    }),
    of(
        "Controller",
        STRING,
        Text("Controller that is responsible for handling this class"),
        |it| str_at(it, "/spec/controller").into(),
    ),
    of("Parameters", STRING, Text("A reference to a resource with additional parameters"), |it| {
        let Some(parameters) = it.pointer("/spec/parameters") else { return "<none>".into() };
        let group = parameters["apiGroup"].as_str().map(|group| format!(".{group}"));
        let (kind, name) = (str_at(parameters, "/kind"), str_at(parameters, "/name"));
        format!("{kind}{}/{name}", group.unwrap_or_default()).into()
    }),
    AGE,
];

pub(super) const ATTACHMENT: &[Column] = &[
    NAME,
    of("Attacher", STRING, Description::NameField("/spec/attacher"), |it| {
        str_at(it, "/spec/attacher").into()
    }),
    text_of("PV", "/spec/source/persistentVolumeName"),
    text_of("Node", "/spec/nodeName"),
    flag_of("Attached", "/status/attached", |it| flag(it, "/status/attached", false)),
    AGE,
];

pub(super) const CSI_NODE: &[Column] = &[
    NAME,
    of(
        "Drivers",
        INTEGER,
        Text("Drivers indicates the number of CSI drivers registered on the node"),
        |it| list(it, "/spec/drivers").len().into(),
    ),
    AGE,
];

pub(super) const CSI_DRIVER: &[Column] = &[
    NAME,
    flag_of("AttachRequired", "/spec/attachRequired", |it| flag(it, "/spec/attachRequired", true)),
    flag_of("PodInfoOnMount", "/spec/podInfoOnMount", |it| flag(it, "/spec/podInfoOnMount", false)),
    flag_of("StorageCapacity", "/spec/storageCapacity", |it| {
        flag(it, "/spec/storageCapacity", false)
    }),
    of("TokenRequests", STRING, Field("/spec/tokenRequests"), |it| {
        let Some(requests) = it.pointer("/spec/tokenRequests").and_then(Value::as_array) else {
            return "<unset>".into();
        };
        super::joined(requests, "audience").into()
    }),
    flag_of("RequiresRepublish", "/spec/requiresRepublish", |it| {
        flag(it, "/spec/requiresRepublish", false)
    }),
    of("Modes", STRING, Field("/spec/volumeLifecycleModes"), |it| {
        let modes = list(it, "/spec/volumeLifecycleModes").iter().filter_map(Value::as_str);
        super::none_if_empty(modes.collect::<Vec<_>>().join(","))
    }),
    AGE,
];
