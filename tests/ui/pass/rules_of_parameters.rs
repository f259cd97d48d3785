//! Rules of generic types, which are checked for each concrete type.

use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource, definition};
use k8s_openapi::api::core::v1::LocalObjectReference;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "a.example.com", version = "v1", kind = "Widget", namespaced)]
struct WidgetSpec {
    range: Named<Range>,
    boxed: Named<Box<Range>>,
    maybe: Named<Option<Range>>,
    nested: Outer<Named<Range>>,
    foreign: Outer<LocalObjectReference>,
    any: Held<Value>,
    port: Held<IntOrString>,
    text: Held<String>,
    #[crd(max_items = 4)]
    lists: Vec<Lists<Range, 3>>,
    one: Choice<Range>,
    tagged: Tagged<Range>,
    flat: Flat<Range>,
    new: New<Range>,
    node: Node<Range>,
    few: Bounded<3>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule(
    "self.value.min <= self.value.max",
    message_expression = "self.value.min > 3 ? self.name : 'low'",
    field_path = ".value.min"
))]
struct Named<T> {
    #[crd(max_length = 8, rule("self != ''"))]
    name: String,
    #[crd(rule("!has(self.min) || self.min >= 0 && oldSelf.max <= self.max"))]
    value: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("has(self.inner)"))]
struct Outer<T> {
    #[crd(rule("self == oldSelf"))]
    inner: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.size >= 0"))]
struct Held<T> {
    size: i32,
    #[serde(default)]
    held: Option<T>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Lists<T, const N: usize> {
    #[crd(max_items = 4, items(rule("self.min < 5")), rule("self.all(v, v.min < v.max)"))]
    list: Vec<T>,
    #[crd(max_properties = 4, values(max_items = 4, items(rule("self.min < 6"))))]
    map: BTreeMap<String, Vec<T>>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("!has(self.One) || self.One.min > 1"))]
enum Choice<T> {
    #[crd(rule("self.min > 2"))]
    One(T),
    Two {
        #[crd(rule("self.max > 2"))]
        other: T,
    },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
#[crd(rule("self.type != 'One' || self.min > 1"))]
enum Tagged<T> {
    One(T),
    Two { other: T },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.own < self.min"))]
struct Flat<T> {
    own: i32,
    #[serde(flatten)]
    part: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.min > 3"))]
struct New<T>(#[crd(rule("self.max > 3"))] T);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.value.min > 4"))]
struct Node<T> {
    value: T,
    #[crd(preserve_unknown_fields)]
    next: Option<Box<Node<T>>>,
}

/// Without the bounds, the rule would cost too much.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Bounded<const N: u64> {
    #[crd(
        max_items = N,
        items(max_length = N),
        rule("self.all(a, self.all(b, self.all(c, a + b + c != 'x')))")
    )]
    names: Vec<String>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Range {
    min: i32,
    max: i32,
}

fn main() {
    let errors = definition::validate(&Widget::definition());
    assert!(errors.is_empty(), "{errors}");
}
