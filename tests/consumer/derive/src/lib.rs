#[path = "../../cache.rs"]
mod cache;

pub use cache::*;
use crd_runtime::CustomResource as _;
use crd_runtime::k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

/// The kind's manifest, which needs no engine.
pub fn manifest() -> CustomResourceDefinition {
    Cache::crd()
}
