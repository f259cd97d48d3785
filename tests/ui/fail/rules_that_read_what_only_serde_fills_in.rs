#![deny(deprecated)]

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.size > 0"))]
#[crd(rule("self.name == 'a' || self.limit > 0"))]
#[crd(rule("self.name == 'a' || self.kept > 0", unchecked("kept is set by us")))]
struct Team {
    name: String,
    #[serde(default)]
    size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<i32>,
    #[serde(default)]
    kept: i32,
    #[serde(default)]
    #[crd(immutable)]
    open: bool,
    #[serde(default)]
    #[crd(rule("self == oldSelf"))]
    public: bool,
    #[serde(default)]
    #[crd(immutable, unchecked("it is set by a webhook"))]
    unchecked: bool,
    #[serde(default)]
    #[crd(default, immutable)]
    defaulted: bool,
}

fn main() {}
