//! A kind in any edition: in 2015, paths begin at the root of the crate.
#![deny(warnings)]

extern crate crd_runtime;
extern crate k8s_openapi;
extern crate serde;
extern crate serde_json;

use std::collections::BTreeMap;

use crd_runtime::{definition, CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com",
    version = "v1",
    kind = "Site",
    namespaced,
    status = SiteStatus,
    apply,
    derive(PartialEq),
    scale(spec = ".spec.replicas", status = ".status.replicas"),
    print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp"),
    rule("self.replicas < self.most"),
    root_rule("self.metadata.name != 'a'")
)]
#[derive(PartialEq)]
pub struct SiteSpec {
    #[crd(minimum = 1, maximum = MOST, default = 3, print_column)]
    pub replicas: i32,
    pub most: i32,
    #[crd(selectable, pattern = "^[a-z]+$")]
    pub host: String,
    #[crd(max_items = 9, list_type = "map", list_map_keys("name"))]
    pub ports: Vec<Port>,
    #[crd(values(max_length = 9))]
    pub labels: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(flatten)]
    pub more: More,
}

const MOST: i32 = 9;

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply(keys("name"), derive(PartialEq)))]
pub struct Port {
    pub name: String,
    #[crd(immutable)]
    pub number: u16,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply)]
#[serde(tag = "type")]
pub enum Source {
    Git { url: String },
    Image { name: String },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply, exactly_one_of("a", "b"))]
pub struct More {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Wrapped<String>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Level {
    High,
    Low,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(apply)]
pub struct Wrapped<T> {
    pub of: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(apply)]
pub struct SiteStatus {
    pub replicas: i32,
}

fn main() {
    let errors = definition::validate(&Site::definition());
    assert!(errors.is_empty(), "{}", errors);
}
