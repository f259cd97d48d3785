//! A kind with every kind of field ownership.

use std::collections::{BTreeMap, BTreeSet};

use crd_runtime::{CrdSchema, CustomResource, TypeMeta, base64};
use k8s_openapi::api::core::v1::EnvVar;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A thing with parts of many owners.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[crd(derive(PartialEq), apply(derive(PartialEq)))]
#[serde(rename_all = "camelCase")]
pub(crate) struct WidgetSpec {
    pub(crate) replicas: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[crd(list_type = "map", list_map_keys("containerPort", "protocol"))]
    pub(crate) ports: Vec<Port>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) hosts: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) args: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) limits: BTreeMap<String, i32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) pools: BTreeMap<String, Pool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) main: Option<Box<Pool>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[crd(map_type = "atomic")]
    pub(crate) point: Option<Point>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<Action>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[crd(preserve_unknown_fields)]
    pub(crate) extra: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[crd(list_type = "map", list_map_keys("name"))]
    pub(crate) env: Vec<EnvVar>,
    #[serde(default)]
    #[crd(nullable)]
    pub(crate) limit: Option<i64>,
    #[serde(with = "base64", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) token: Vec<u8>,
    #[serde(flatten)]
    pub(crate) window: Window,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(keys("containerPort", "protocol"), derive(PartialEq)))]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of Kubernetes")]
pub(crate) struct Port {
    pub(crate) container_port: u16,
    #[crd(default = "TCP")]
    pub(crate) protocol: Protocol,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) host_port: Option<u16>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Protocol {
    Tcp,
    Udp,
}

/// Machines of a kind.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(derive(PartialEq)))]
pub(crate) struct Pool {
    pub(crate) size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) zone: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(whole))]
pub(crate) struct Point {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(derive(PartialEq)))]
#[serde(rename_all = "camelCase")]
pub(crate) enum Action {
    Wait,
    Call { url: String, retries: Option<u8> },
    Scale(Pool),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(derive(PartialEq)))]
pub(crate) struct Window {
    #[serde(rename = "notBefore", default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    #[serde(rename = "notAfter", default, skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(apply(derive(PartialEq)))]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WidgetStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ready_replicas: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[crd(list_type = "map", list_map_keys("type"))]
    pub(crate) conditions: Vec<Condition>,
}

/// A root that is written as one struct, with a field that has the same name as a field of metadata.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Endpoint", cluster, apply)]
pub(crate) struct Endpoint {
    #[serde(flatten)]
    pub(crate) type_meta: TypeMeta<Self>,
    pub(crate) metadata: ObjectMeta,
    pub(crate) host: String,
    pub(crate) labels: Pairs<u8>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
pub(crate) struct Pairs<T> {
    pub(crate) list: Vec<T>,
    pub(crate) named: BTreeMap<String, T>,
    pub(crate) new: Option<T>,
}
