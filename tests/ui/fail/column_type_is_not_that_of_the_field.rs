use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    #[crd(print_column(type = "boolean"))]
    image: String,
    #[crd(print_column(type = "integer"))]
    ports: Vec<u16>,
    #[crd(print_column(type = "date"))]
    replicas: i32,
}

fn main() {}
