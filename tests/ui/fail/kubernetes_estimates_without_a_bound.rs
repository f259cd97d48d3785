use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Route", namespaced, kubernetes = "1.31")]
struct RouteSpec {
    #[crd(max_length = 64, rule("ip(self) == ip('::1')"))]
    address: String,
    targets: Target,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("cidr(self.range) == cidr('10.0.0.0/8')"))]
struct Target {
    #[crd(max_length = 64)]
    range: String,
}

fn main() {}
