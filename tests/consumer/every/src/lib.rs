use crds::client::Api;
use crds::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use crds::kube::Client;
use crds::schemars::JsonSchema;
use crds::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A cache in memory.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "cache.example.com", version = "v1", kind = "Cache", namespaced, apply)]
#[crd(crate = crds, status = CacheStatus, scale(spec = ".spec.size", status = ".status.size"))]
#[crd(rule("self.size >= self.listeners.size()", message = "more listeners than members"))]
pub struct CacheSpec {
    #[crd(minimum = 1, maximum = 5, default = 1, print_column, selectable)]
    pub size: i32,
    #[serde(default)]
    #[crd(list_type = "map", list_map_keys("name"), max_items = 8)]
    pub listeners: Vec<Listener>,
}

/// A port with a name.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crds, apply(keys("name")))]
pub struct Listener {
    pub name: String,
    #[crd(minimum = 1)]
    pub port: u16,
}

/// What is there.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
#[crd(crate = crds, apply)]
pub struct CacheStatus {
    pub size: i32,
    pub conditions: Vec<Condition>,
}

/// kube's client and ours take the kind.
pub fn clients(client: Client) -> (crds::kube::Api<Cache>, Api<Cache>) {
    (crds::kube::Api::default_namespaced(client.clone()), Api::namespaced(client, "default"))
}

/// Accepts types of the re-exported k8s-openapi only if they implement `JsonSchema` of the re-exported schemars.
pub fn is_described<T: JsonSchema>() -> bool {
    !T::schema_name().is_empty()
}

/// What a program does with its kinds at the command line.
pub fn run() -> std::process::ExitCode {
    crd_cli::Registry::new().crd::<Cache>().run()
}

#[test]
fn re_exported_crates_fit_together() {
    assert!(is_described::<Condition>());
}
