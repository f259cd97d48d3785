use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com",
    version = "v1",
    kind = "Site",
    namespaced,
    short_name = "st",
    fields = false,
    json_schema = false
)]
pub struct SiteSpec {
    pub replicas: i32,
}
