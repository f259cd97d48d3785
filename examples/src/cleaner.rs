//! A cluster-scoped kind with a schedule that never changes.

use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde::{Deserialize, Serialize};

/// Removes resources that match, on a schedule.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "apps.example.com", version = "v1alpha1", kind = "Cleaner", cluster)]
#[crd(status = CleanerStatus)]
#[serde(rename_all = "camelCase")]
pub struct CleanerSpec {
    /// When to run, in cron format.
    #[crd(immutable, min_length = 1, max_length = 256)]
    pub schedule: String,
    /// What to remove.
    #[crd(max_items = 100)]
    pub resource_selectors: Vec<ResourceSelector>,
    /// What to do with what matches.
    #[crd(default = "Delete")]
    pub action: Action,
}

/// Selects resources.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ResourceSelector {
    /// The API group; empty for the core group.
    #[serde(default)]
    pub group: String,
    /// The API version.
    #[crd(min_length = 1)]
    pub version: String,
    /// The kind.
    #[crd(min_length = 1)]
    pub kind: String,
    /// The namespace; all where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

/// What happens to a resource that matches.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Remove it.
    Delete,
    /// Report it.
    Scan,
}

/// When the cleaner ran and will run.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct CleanerStatus {
    /// The last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run_time: Option<Time>,
    /// The next run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_schedule_time: Option<Time>,
    /// What went wrong in the last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_message: Option<String>,
}
