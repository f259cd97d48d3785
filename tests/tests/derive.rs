//! What the derives make of types.

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A cron-like job.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced,
      short_name = "ct", category = "all", status = CronTabStatus)]
#[crd(scale(
    spec = ".spec.replicas",
    status = ".status.replicas",
    selector = ".status.labelSelector"
))]
#[crd(print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp"))]
#[crd(rule(
    "self.minReplicas <= self.replicas",
    message = "minReplicas must not exceed replicas",
    field_path = ".minReplicas"
))]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    #[crd(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$", print_column(name = "Spec"))]
    pub cron_spec: String,
    #[crd(minimum = 1, maximum = 10, default = 1, print_column, selectable)]
    pub replicas: i32,
    #[crd(minimum = 0, default = 0)]
    pub min_replicas: i32,
    #[crd(list_type = "map", list_map_keys("name"), max_items = 16)]
    pub ports: Vec<Port>,
    #[crd(immutable, max_items = 5, items(max_length = 63), rule("self.all(h, h.isSorted())"))]
    pub hosts: Vec<String>,
    /// How it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    pub action: Action,
}

/// A port.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Port {
    /// Its name.
    pub name: String,
    #[crd(minimum = 1)]
    pub number: u16,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Action {
    Run {
        command: Vec<String>,
    },
    Http {
        url: String,
        #[crd(minimum = 1)]
        timeout: Option<u32>,
    },
    None,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CronTabStatus {
    pub replicas: i32,
    pub label_selector: String,
}

#[test]
fn crontab() {
    let crd = CronTab::crd();
    println!("{}", serde_json::to_string_pretty(&crd).unwrap());
    assert_eq!(crd.metadata.name.as_deref(), Some("crontabs.stable.example.com"));
    let tab: CronTab = serde_json::from_value(json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "a"},
        "spec": {"cronSpec": "* * * * *", "replicas": 1, "minReplicas": 0, "ports": [], "hosts": [], "action": {"type": "none"}},
    })).unwrap();
    assert_eq!(serde_json::to_value(&tab).unwrap()["kind"], "CronTab");
}
