use crd_runtime::CustomResource;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Widget", namespaced, schema = "disabled")]
#[crd(rule("self.size > 1"), print_column(name = "Size", type = "integer", path = ".spec.size"), apply)]
struct WidgetSpec {
    #[crd(minimum = 1)]
    size: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example", version = "v1", kind = "Gadget", namespaced, schema = "disabled")]
struct Gadget {
    metadata: ObjectMeta,
    size: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Tool", namespaced, schema = "manual")]
struct ToolSpec {
    size: i32,
}

fn main() {}
