//! A kind as an operator has it: nested types of its own, types of Kubernetes, rules, a status.
//!
//! Several packages of this workspace include this file as a module. It uses only crates that are in all of their
//! manifests.

use std::collections::BTreeMap;

use crd_runtime::k8s_openapi::api::core::v1::{PodTemplateSpec, ResourceRequirements};
use crd_runtime::k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A cache in memory.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "cache.example.com", version = "v1alpha1", kind = "Cache", namespaced, apply)]
#[crd(status = CacheStatus, short_name = "ch", category = "all")]
#[crd(scale(spec = ".spec.size", status = ".status.size"))]
#[crd(print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp"))]
#[crd(rule("self.size >= self.listeners.size()", message = "more listeners than members"))]
#[serde(rename_all = "camelCase")]
pub struct CacheSpec {
    /// How many members there are.
    #[crd(minimum = 1, maximum = 5, default = 1, print_column)]
    pub size: i32,
    /// What is dropped first.
    #[crd(default = "LeastRecent", print_column, selectable)]
    pub eviction: Eviction,
    /// Where it listens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[crd(list_type = "map", list_map_keys("name"), max_items = 8)]
    pub listeners: Vec<Listener>,
    /// Where it keeps what it drops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// Settings by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The resources of each member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourceRequirements>,
    /// Selects the pods that may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readers: Option<LabelSelector>,
    /// What runs beside each member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<PodTemplateSpec>,
}

/// What is dropped first.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    LeastRecent,
    LeastFrequent,
}

/// A port with a name.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(keys("name")))]
pub struct Listener {
    #[crd(min_length = 1, max_length = 15)]
    pub name: String,
    #[crd(minimum = 1)]
    pub port: u16,
}

/// Where a cache keeps what it drops.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply(whole))]
#[serde(rename_all = "camelCase")]
pub enum Overflow {
    Disk { path: String },
    Cache { name: String },
}

/// The observed state.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[crd(apply)]
#[serde(rename_all = "camelCase", default)]
pub struct CacheStatus {
    pub size: i32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
