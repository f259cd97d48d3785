use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    image: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct WidgetStatus {
    #[crd(list_type = "map", list_map_keys("name"))]
    conditions: Vec<Condition>,
}

fn main() {}
