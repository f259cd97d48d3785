//! Rules that fail for objects without an optional field of another type, as warnings that are errors here.
#![deny(deprecated)]

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "CronTab", namespaced, status = CronTabStatus)]
#[crd(rule("self.template.replicas > 0"))]
#[crd(rule("self.members.all(m, m.replicas > 0)"))]
#[crd(rule("self.template.size > 0 && self.template.given > 0"))]
#[crd(rule("!has(self.template.replicas) || self.template.replicas > 2"))]
#[crd(rule("self.template.?replicas.orValue(3) > 2"))]
#[crd(rule("self.template.replicas > 1", unchecked("a webhook sets it")))]
#[crd(rule("self.limit.of == 'none' || self.limit.value > 0"))]
#[crd(rule("self.source.type == 'git' || self.source.path != ''"))]
#[crd(rule("has(self.target.port) ? self.target.port > 0 : self.target.name != ''"))]
#[crd(root_rule("self.spec.template.replicas > 3"))]
#[crd(root_rule("!has(self.status) || self.status.ready"))]
#[crd(root_rule("!has(self.status) || self.status.phase != ''"))]
pub struct CronTabSpec {
    pub template: Template,
    #[crd(max_items = 5)]
    pub members: Vec<Template>,
    pub limit: Limit,
    pub source: Source,
    pub target: Target,
}

/// Which of its fields an enum has is told by its tag.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "of", content = "value", rename_all = "camelCase")]
pub enum Limit {
    Count(i32),
    None,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Source {
    Git { url: String },
    File { path: String },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    Port(i32),
    Name(#[crd(max_length = 9)] String),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Template {
    pub replicas: Option<i32>,
    pub size: i32,
    #[serde(default)]
    #[crd(default = 1)]
    pub given: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct CronTabStatus {
    #[serde(default)]
    pub ready: bool,
    #[crd(max_length = 9)]
    pub phase: String,
}

fn main() {}
