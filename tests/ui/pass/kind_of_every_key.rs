use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(apply(derive(PartialEq)))]
struct FooStatus {
    replicas: i32,
    selector: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, plural = "foos", singular = "afoo", list_kind = "FooCollection", short_name = "f", short_name = "fo",
    category = "all", root = TheFoo, status = FooStatus, served = false, storage = true, deprecated = "use v2",
    scale(spec = ".spec.replicas", status = ".status.replicas", selector = ".status.selector"),
    print_column(name = "Replicas", type = "integer", format = "int32", path = ".spec.replicas"),
    print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp", description = "d", priority = 1),
    selectable(".spec.a"), selectable(path = ".spec.b"), annotation("a/b", "c"), label("d", "e"),
    conversion(webhook(service(namespace = "n", name = "s", path = "/p", port = 8443), ca_bundle = "YQ==", review_versions("v1"))),
    rule("self.a != ''"), root_rule("self.metadata.name != 'a'"), derive(PartialEq, Default), attr(allow(dead_code)), apply(derive(PartialEq)), crate = ::crd_runtime)]
struct FooSpec {
    a: String,
    b: bool,
    replicas: i32,
}

fn main() {
    use crd_runtime::CustomResource as _;
    assert_eq!(
        serde_json::to_value(TheFoo::definition()).unwrap(),
        serde_json::json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"annotations": {"a/b": "c"}, "labels": {"d": "e"}, "name": "foos.example.com"},
            "spec": {
                "conversion": {
                    "strategy": "Webhook",
                    "webhook": {
                        "clientConfig": {
                            "caBundle": "YQ==",
                            "service": {"name": "s", "namespace": "n", "path": "/p", "port": 8443},
                        },
                        "conversionReviewVersions": ["v1"],
                    },
                },
                "group": "example.com",
                "names": {
                    "categories": ["all"],
                    "kind": "Foo",
                    "listKind": "FooCollection",
                    "plural": "foos",
                    "shortNames": ["f", "fo"],
                    "singular": "afoo",
                },
                "scope": "Namespaced",
                "versions": [
                    {
                        "additionalPrinterColumns": [
                            {
                                "format": "int32",
                                "jsonPath": ".spec.replicas",
                                "name": "Replicas",
                                "type": "integer",
                            },
                            {
                                "description": "d",
                                "jsonPath": ".metadata.creationTimestamp",
                                "name": "Age",
                                "priority": 1,
                                "type": "date",
                            },
                        ],
                        "deprecated": true,
                        "deprecationWarning": "use v2",
                        "name": "v1",
                        "schema": {
                            "openAPIV3Schema": {
                                "properties": {
                                    "spec": {
                                        "properties": {
                                            "a": {"type": "string"},
                                            "b": {"type": "boolean"},
                                            "replicas": {"format": "int32", "type": "integer"},
                                        },
                                        "required": ["a", "b", "replicas"],
                                        "type": "object",
                                        "x-kubernetes-validations": [{"rule": "self.a != ''"}],
                                    },
                                    "status": {
                                        "properties": {
                                            "replicas": {"format": "int32", "type": "integer"},
                                            "selector": {"type": "string"},
                                        },
                                        "required": ["replicas", "selector"],
                                        "type": "object",
                                    },
                                },
                                "required": ["spec"],
                                "type": "object",
                                "x-kubernetes-validations": [{"rule": "self.metadata.name != 'a'"}],
                            },
                        },
                        "selectableFields": [{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.b"}],
                        "served": false,
                        "storage": true,
                        "subresources": {
                            "scale": {
                                "labelSelectorPath": ".status.selector",
                                "specReplicasPath": ".spec.replicas",
                                "statusReplicasPath": ".status.replicas",
                            },
                            "status": {},
                        },
                    },
                ],
            },
        })
    );
}
