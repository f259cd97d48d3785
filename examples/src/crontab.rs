//! The CronTab of the Kubernetes documentation, in full.

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// Runs a container on a schedule.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced)]
#[crd(short_name = "ct", category = "all", status = CronTabStatus, apply)]
#[crd(scale(
    spec = ".spec.replicas",
    status = ".status.replicas",
    selector = ".status.labelSelector"
))]
#[crd(print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp"))]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    /// When to run: five fields of numbers, stars and steps.
    #[crd(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$", default = "5 0 * * *")]
    #[crd(print_column(name = "Spec", description = "The cron spec defining the interval"))]
    pub cron_spec: String,
    /// The image to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// How many run at a time.
    #[crd(minimum = 1, maximum = 10, default = 1)]
    #[crd(print_column(name = "Replicas", description = "The number of jobs launched"))]
    pub replicas: i32,
}

/// What runs at the moment.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(apply)]
#[serde(rename_all = "camelCase", default)]
pub struct CronTabStatus {
    /// How many run.
    pub replicas: i32,
    /// Selects the pods that run.
    pub label_selector: String,
}
