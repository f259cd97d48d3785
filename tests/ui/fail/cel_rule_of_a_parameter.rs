use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Widget", namespaced)]
struct WidgetSpec {
    range: Named<Range>,
    ports: Named<Port>,
    list: Bounded<Port>,
    choice: Choice<Range>,
    known: Known<Range>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.value.min <= self.value.max", message = "out of order"))]
struct Named<T> {
    name: String,
    value: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Bounded<T> {
    #[crd(max_items = 8, rule("self.all(v, v.nmae != '')", message_expression = "self[0].max"))]
    values: Vec<T>,
    #[crd(max_properties = 8)]
    by_name: BTreeMap<String, T>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("!has(self.One) || self.One.min != 'a'"))]
enum Choice<T> {
    One(T),
    Two { other: i32 },
}

/// What is wrong whatever the parameter is, is said once.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.nmae != ''"))]
struct Known<T> {
    name: String,
    value: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Range {
    min: i32,
    max: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    name: String,
}

fn main() {}
