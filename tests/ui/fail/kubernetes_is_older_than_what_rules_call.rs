use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Gateway", namespaced, kubernetes = "1.31")]
#[crd(root_rule("self.metadata.name.size() > 2 || self.spec.routes.first().hasValue()"))]
struct GatewaySpec {
    #[crd(max_length = 64, rule("semver(self).major() > 0"))]
    release: String,
    #[crd(max_items = 8)]
    routes: Vec<Route>,
    #[crd(max_length = 64)]
    namespace: String,
    backend: Backend,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.hosts.all(i, h, h.size() > i)"))]
struct Route {
    #[crd(max_items = 8, items(max_length = 64))]
    hosts: Vec<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum Backend {
    #[crd(rule("self.names.distinct() == self.names"))]
    Services {
        #[crd(max_items = 8, items(max_length = 64))]
        names: Vec<String>,
    },
    Address(#[crd(max_length = 64, rule("isIP(self)"))] String),
}

fn main() {}
