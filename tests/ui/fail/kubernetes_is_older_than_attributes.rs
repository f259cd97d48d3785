use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Gateway", namespaced, kubernetes = "1.30")]
#[crd(selectable(".spec.class"))]
struct GatewaySpec {
    class: String,
    #[crd(selectable)]
    zone: String,
    #[crd(format = "k8s-short-name")]
    name: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Mesh", namespaced, kubernetes = "1.34")]
struct MeshSpec {
    members: Vec<Member>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Member {
    #[crd(format = "k8s-long-name")]
    host: String,
}

fn main() {}
