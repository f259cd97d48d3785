//! `crd_derive_cel`: rules that are evaluated in the client.

use crd_runtime::CustomResource;
use crd_runtime::admit::{self, Rejection};
use crd_runtime::compiled::CompiledSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.kube.rs", version = "v1", kind = "Autoscaler", namespaced)]
#[crd(root_rule("self.spec.minReplicas <= self.spec.maxReplicas"))]
#[crd(rule("self.minReplicas <= self.maxReplicas"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct AutoscalerSpec {
    #[crd(rule("self >= 0"))]
    min_replicas: i32,
    max_replicas: i32,
    #[crd(rule("self == oldSelf"))]
    tier: String,
}

fn autoscaler(min_replicas: i32, max_replicas: i32, tier: &str) -> Value {
    let spec = AutoscalerSpec { min_replicas, max_replicas, tier: tier.to_owned() };
    let mut object = Autoscaler::new("web", spec);
    object.metadata.namespace = Some("default".to_owned());
    object.metadata.resource_version = Some("1".to_owned());
    serde_json::to_value(object).unwrap()
}

fn fields(rejection: &Rejection) -> Vec<&str> {
    rejection.errors().into_iter().flatten().map(|error| error.field.as_str()).collect()
}

#[test]
fn rules_are_decided_without_a_cluster() {
    let schema = CompiledSchema::for_version(&Autoscaler::crd(), "v1").expect("a schema");
    let valid = admit::create(&schema, autoscaler(1, 5, "standard")).expect("admitted").object;
    let rejection = admit::create(&schema, autoscaler(9, 5, "standard")).expect_err("an error");
    assert_eq!(fields(&rejection), ["<nil>", "spec"]);
    let changed = autoscaler(1, 5, "premium");
    let rejection = admit::update(&schema, changed, &valid).expect_err("an error");
    assert_eq!(fields(&rejection), ["spec.tier"]);
    assert_eq!(valid["spec"], json!({"minReplicas": 1, "maxReplicas": 5, "tier": "standard"}));
}
