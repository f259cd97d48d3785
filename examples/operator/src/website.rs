//! The kind `Website` in the version that is stored.

use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use serde::{Deserialize, Serialize};

/// A website: replicas of a web server, and a host name in the cluster's routes.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Website", namespaced, status = WebsiteStatus)]
#[crd(scale(spec = ".spec.replicas", status = ".status.readyReplicas"))]
#[crd(conversion(webhook(service(
    namespace = "websites",
    name = "website-operator",
    path = "/convert"
))))]
#[serde(rename_all = "camelCase")]
pub struct WebsiteSpec {
    /// The host name. It cannot be changed.
    #[crd(immutable, min_length = 1, max_length = 253, print_column, selectable)]
    pub host: String,
    /// The image of the web server.
    #[crd(min_length = 1, max_length = 512, default = "nginx:1.29")]
    pub image: String,
    /// The image of the job that builds the content, before the web server starts.
    #[crd(immutable, min_length = 1, max_length = 512)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// How many replicas run.
    #[crd(minimum = 0, maximum = 9, default = 1, print_column)]
    pub replicas: i32,
}

/// What has become of a website.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct WebsiteStatus {
    /// The generation of the spec that this is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// How many replicas are ready.
    pub ready_replicas: i32,
    /// `Ready`: whether all replicas run.
    #[crd(list_type = "map", list_map_keys("type"), max_items = 8)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}
