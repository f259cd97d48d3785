//! Rules that reject each object without an optional field are warnings, which `deny(deprecated)` turns into errors.
#![deny(deprecated)]

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "CronTab", namespaced, status = "CronTabStatus")]
#[crd(root_rule("self.status.replicas <= self.spec.replicas"))]
#[crd(rule("self.replicas > 0"))]
#[crd(rule(concat!("size(self.image) > 0", " && self.paused")))]
#[crd(rule("self.replicas > 1", unchecked("`replicas` is set by a webhook")))]
#[crd(rule("!has(self.replicas) || self.replicas > 2"))]
#[crd(rule("self.?replicas.orValue(3) > 2"))]
#[crd(rule("self.parallelism > 0"))]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    pub replicas: Option<i32>,
    #[serde(default)]
    #[crd(max_length = 64)]
    pub image: String,
    #[serde(default)]
    pub paused: bool,
    #[serde(default)]
    #[crd(default = 1)]
    pub parallelism: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct CronTabStatus {
    pub replicas: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
pub enum Volume {
    #[crd(rule("self.limit > 0"))]
    Memory { limit: Option<i64> },
    #[crd(rule("self.path != ''"))]
    Host { path: String },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[allow(deprecated)]
#[crd(rule("self.port > 1"))]
pub struct Allowed {
    pub port: Option<u16>,
}

fn main() {}
