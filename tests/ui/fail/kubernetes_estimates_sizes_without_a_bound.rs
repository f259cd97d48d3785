use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Route", namespaced, kubernetes = "1.31")]
#[crd(root_rule("self.spec.text.contains(self.metadata.name)"))]
struct RouteSpec {
    #[crd(max_length = 10000, rule("url(self).getHost() != '' && url(self) == url('http://a')"))]
    text: String,
    targets: Target,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.text.contains(self.port)"))]
struct Target {
    #[crd(max_length = 8)]
    port: IntOrString,
    #[crd(max_length = 10000)]
    text: String,
}

fn main() {}
