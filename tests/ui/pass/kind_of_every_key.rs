use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(apply(derive(PartialEq)))]
struct FooStatus {
    replicas: i32,
    selector: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, plural = "foos", singular = "foo", list_kind = "FooList", short_name = "f", short_name = "fo",
    category = "all", root = TheFoo, status = FooStatus, served = true, storage = true, deprecated = "use v2",
    scale(spec = ".spec.replicas", status = ".status.replicas", selector = ".status.selector"),
    print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp", description = "d", priority = 1),
    selectable(".spec.a"), selectable(path = ".spec.b"), annotation("a/b", "c"), label("d", "e"),
    conversion(webhook(service(namespace = "n", name = "s", path = "/p", port = 8443), ca_bundle = "YQ==", review_versions("v1"))),
    rule("self.a != ''"), root_rule("self.metadata.name != 'a'"), derive(PartialEq, Default), attr(allow(dead_code)), apply(derive(PartialEq)), crate = ::crd_runtime)]
struct FooSpec {
    a: String,
    b: bool,
    replicas: i32,
}

fn main() {}
