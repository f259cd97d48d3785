//! Kubernetes' own types inside of a spec, as kube's derive and controller-gen have them.

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::{CustomResource, admit, definition};
use k8s_openapi::api::core::v1::{Affinity, PodTemplateSpec, ResourceRequirements};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, Default)]
#[crd(group = "example.com", version = "v1", kind = "Worker", cluster)]
#[serde(rename_all = "camelCase", default)]
struct WorkerSpec {
    resources: ResourceRequirements,
    storage: Option<Quantity>,
    max_unavailable: Option<IntOrString>,
    selector: Option<LabelSelector>,
    affinity: Option<Affinity>,
    template: Option<PodTemplateSpec>,
    #[crd(list_type = "map", list_map_keys("type"))]
    conditions: Vec<Condition>,
}

fn schema() -> CompiledSchema {
    let crd = Worker::definition();
    definition::validate(&crd).into_result().unwrap();
    CompiledSchema::for_version(&crd, "v1").unwrap()
}

fn worker(spec: &serde_json::Value) -> serde_json::Value {
    json!({"apiVersion": "example.com/v1", "kind": "Worker", "metadata": {"name": "w"}, "spec": spec})
}

#[test]
fn quantities_are_integers_or_strings_at_any_depth() {
    let object = worker(&json!({
        "resources": {"limits": {"cpu": 1, "memory": "1Gi"}},
        "storage": 5,
        "maxUnavailable": "30%",
        "template": {"spec": {"containers": [
            {"name": "c", "image": "i", "resources": {"requests": {"cpu": 2}}},
        ]}},
    }));
    let worker: Worker = admit::create(&schema(), object).unwrap().into_typed().unwrap();
    assert_eq!(worker.spec.resources.limits.unwrap()["cpu"], Quantity("1".to_owned()));
    let error = admit::create(&schema(), self::worker(&json!({"storage": "5 cups"}))).unwrap_err();
    assert!(error.to_string().contains("spec.storage: Invalid value: \"5 cups\""), "{error}");
}

#[test]
fn conditions_are_held_to_the_bounds_of_their_source() {
    let condition = json!({"type": "Ready", "status": "yes", "reason": "not a reason", "message": "",
        "lastTransitionTime": "2024-01-01T00:00:00Z"});
    let error = admit::create(&schema(), worker(&json!({"conditions": [condition]}))).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("spec.conditions[0].reason: Invalid value: \"not a reason\""), "{text}");
    assert!(text.contains("spec.conditions[0].status: Unsupported value: \"yes\""), "{text}");
}

#[test]
fn lists_of_pods_are_maps_and_their_defaults_are_written() {
    let container = |port: i32| json!({"name": "c", "image": "i", "ports": [{"containerPort": 80}, {"containerPort": port}]});
    let object = |port| worker(&json!({"template": {"spec": {"containers": [container(port)]}}}));
    let admitted = admit::create(&schema(), object(81)).unwrap();
    let worker: Worker = admitted.into_typed().unwrap();
    let containers = worker.spec.template.unwrap().spec.unwrap().containers;
    let ports = containers[0].ports.as_ref().unwrap();
    assert_eq!(ports[0].protocol.as_deref(), Some("TCP"));
    let error = admit::create(&schema(), object(80)).unwrap_err();
    assert!(error.to_string().contains("ports[1]: Duplicate value"), "{error}");
}
