use std::collections::BTreeMap;

use crd_runtime::CrdSchema;

#[derive(CrdSchema)]
struct Port {
    name: String,
    port: u16,
}

#[derive(CrdSchema)]
#[serde(rename_all = "camelCase")]
#[crd(rule("self.minReplica <= self.replicas"))]
struct Spec {
    name: String,
    image: Option<String>,
    replicas: i32,
    min_replicas: i32,
    memory: String,
    #[crd(format = "duration")]
    timeout: String,
    hosts: Vec<String>,
    ports: Vec<Port>,
    by_name: BTreeMap<String, Port>,
    anything: serde_json::Value,
    #[serde(rename = "kebab-name")]
    kebab_name: String,
}

fn main() {}
