//! A cluster-scoped kind with enums, defaults, bounds and a list keyed by a field.

use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde::{Deserialize, Serialize};

/// What is installed on a set of clusters.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "config.example.com", version = "v1beta1", kind = "ClusterProfile", cluster)]
#[crd(status = ClusterProfileStatus)]
#[serde(rename_all = "camelCase")]
pub struct ClusterProfileSpec {
    /// If two profiles manage one resource, the lower tier wins.
    #[crd(minimum = 1, default = 100)]
    pub tier: i32,
    /// Charts to install or remove.
    #[crd(max_items = 50)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helm_charts: Vec<HelmChart>,
    /// Resources that templates read.
    #[crd(list_type = "map", list_map_keys("identifier"), max_items = 50)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub template_resource_refs: Vec<TemplateResourceRef>,
}

/// A chart of a repository.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct HelmChart {
    /// The repository.
    #[serde(rename = "repositoryURL")]
    #[crd(min_length = 1)]
    pub repository_url: String,
    /// The chart's name in the repository.
    #[crd(min_length = 1)]
    pub chart_name: String,
    /// The chart's version.
    #[crd(min_length = 1)]
    pub chart_version: String,
    /// Whether to install or remove the chart.
    #[crd(default = "Install")]
    pub helm_chart_action: HelmChartAction,
}

/// What to do with a chart.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelmChartAction {
    /// Install it if it is missing.
    Install,
    /// Remove it if it is installed.
    Uninstall,
}

/// A resource that templates read under a name.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct TemplateResourceRef {
    /// The name in templates.
    #[crd(min_length = 1)]
    pub identifier: String,
    /// The resource's kind.
    pub kind: String,
    /// The resource's name.
    pub name: String,
}

/// The observed state of the clusters.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterProfileStatus {
    /// Whether all is installed.
    #[crd(print_column(name = "Ready"))]
    pub ready: bool,
    /// The Kubernetes version of the clusters.
    #[crd(print_column(name = "Version"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// When the clusters were last synchronized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sync_time: Option<Time>,
}
