//! `crd_derive`: every attribute at once, and the traits that kube's code looks for.

use crd_runtime::{CrdSchema, CustomResource, definition};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::Resource;
use kube::core::object::{HasSpec, HasStatus};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a Foo is.
#[derive(CustomResource, Serialize, Deserialize, Default, Debug, PartialEq, Eq, Clone)]
#[crd(group = "clux.dev", version = "v1", kind = "Foo", plural = "fooz", root = FooCrd, namespaced)]
#[crd(description = "Custom resource representing a Foo", status = FooStatus, short_name = "f")]
#[crd(derive(PartialEq, Default), attr(allow(deprecated)))]
#[crd(scale(spec = ".spec.replicas", status = ".status.replicas"))]
#[crd(print_column(
    name = "Spec",
    type = "string",
    description = "name of foo",
    path = ".spec.name"
))]
#[crd(selectable(".spec.name"))]
pub(crate) struct MyFoo {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<String>,
    // kube's example scales by a path that leads nowhere; here that does not compile.
    replicas: i32,
}

#[derive(CrdSchema, Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(crate) struct FooStatus {
    is_bad: bool,
    replicas: i32,
    #[crd(list_type = "map", list_map_keys("type"))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<Condition>,
}

#[test]
fn kubes_traits_are_implemented() {
    assert_eq!(FooCrd::kind(&()), "Foo");
    assert_eq!(FooCrd::api_version(&()), "clux.dev/v1");
    assert_eq!(FooCrd::url_path(&(), Some("myns")), "/apis/clux.dev/v1/namespaces/myns/fooz");
    let mut foo = FooCrd::new("hi", MyFoo { name: "hi".to_owned(), ..MyFoo::default() });
    assert_eq!(foo.spec().name, "hi");
    assert_eq!(foo.status(), None);
    let status = FooStatus { is_bad: true, replicas: 0, conditions: Vec::new() };
    *foo.status_mut() = Some(status.clone());
    assert_eq!(foo.status(), Some(&status));
    let default = serde_json::to_value(FooCrd::default()).unwrap();
    let want = json!({
        "apiVersion": "clux.dev/v1", "kind": "Foo", "metadata": {},
        "spec": {"name": "", "replicas": 0},
    });
    assert_eq!(default, want);
}

#[test]
fn the_definition_is_that_of_kube() {
    let crd = FooCrd::crd();
    definition::validate(&crd).into_result().expect("a definition that the server takes");
    let crd = serde_json::to_value(crd).unwrap();
    let version = &crd["spec"]["versions"][0];
    assert_eq!(crd["metadata"]["name"], "fooz.clux.dev");
    assert_eq!(crd["spec"]["names"]["shortNames"], json!(["f"]));
    assert_eq!(version["selectableFields"], json!([{"jsonPath": ".spec.name"}]));
    let columns = json!([
        {"name": "Spec", "type": "string", "description": "name of foo", "jsonPath": ".spec.name"}
    ]);
    assert_eq!(version["additionalPrinterColumns"], columns);
    let schema = &version["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], "Custom resource representing a Foo");
    let conditions = &schema["properties"]["status"]["properties"]["conditions"];
    assert_eq!(conditions["x-kubernetes-list-map-keys"], json!(["type"]));
}
