use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[crd(print_column(
    name = "Ready",
    type = "string",
    path = ".status.conditions[?(@.type==\"Ready\")].state"
))]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    image: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct WidgetStatus {
    conditions: Vec<Condition>,
}

fn main() {}
