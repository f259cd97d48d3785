use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A web site.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Site", namespaced, status = SiteStatus)]
#[crd(rule("self.minReplica <= self.maxReplicas", message = "minReplicas exceeds maxReplicas"))]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    #[crd(max_length = 253, immutable, print_column)]
    pub host: String,
    #[crd(minimum = 0, default = 1)]
    pub min_replicas: i32,
    #[crd(maximum = 100)]
    pub max_replicas: i32,
    pub source: Source,
}

/// Exactly one of the two: a `oneOf` in the manifest.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    Git { url: String },
    Image(String),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct SiteStatus {
    #[crd(print_column)]
    pub ready: bool,
}

fn main() {}
