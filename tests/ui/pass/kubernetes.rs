//! A kind whose servers have what its rules and attributes ask for, the oldest of them included.

use crd_runtime::{CrdSchema, CustomResource, Server, definition};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Gateway", namespaced, kubernetes = "1.34")]
#[crd(rule("self.namespace != 'kube-system'"))]
struct GatewaySpec {
    #[crd(max_length = 64, rule("semver(self).major() > 0"), selectable)]
    release: String,
    #[crd(max_items = 8)]
    routes: Vec<Route>,
    #[crd(max_length = 64)]
    namespace: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.hosts.all(i, h, h.size() > i) && ip(self.address) == ip('::1')"))]
struct Route {
    #[crd(max_items = 8, items(max_length = 64))]
    hosts: Vec<String>,
    #[crd(max_length = 64)]
    address: String,
}

/// Without `kubernetes` the three newest minors count, which enforce the format.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Member", namespaced)]
struct MemberSpec {
    #[crd(format = "k8s-short-name", rule("lists.range(3).size() == 3"))]
    name: String,
}

fn main() {
    for minor in ["1.34", "1.35", "1.36", "1.37"] {
        let errors = Server::of(minor.parse().unwrap()).validate(&Gateway::crd());
        assert!(errors.is_empty(), "{minor}: {errors}");
    }
    let errors = Server::of("1.33".parse().unwrap()).validate(&Gateway::crd());
    assert!(errors.to_string().contains("semver"), "{errors}");
    assert!(definition::validate(&Member::crd()).is_empty());
}
