use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Name(String);

type Maybe = Option<i32>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Named {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(nullable)]
struct Nothing {
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct OfOthers {
    #[crd(nullable)]
    name: Name,
    #[crd(int_or_string)]
    other: Name,
    #[crd(embedded_resource)]
    named: Named,
    #[crd(nullable = false)]
    never: Maybe,
    #[crd(items(nullable))]
    items: Vec<Name>,
    #[crd(embedded_resource)]
    names: BTreeMap<String, Name>,
    #[crd(nullable = false)]
    never_nothing: NumberOrNothing,
    #[crd(preserve_unknown_fields)]
    closed: Closed,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Embedded {
    #[crd(embedded_resource)]
    Empty {},
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum NumberOrNothing {
    Number(i32),
    Nothing,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(int_or_string)]
struct NewName(Named);

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(embedded_resource)]
struct OfNothing {
    #[serde(flatten)]
    nothing: Option<std::marker::PhantomData<u8>>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Empty {}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Pod {
    #[crd(embedded_resource)]
    Empty {
        #[serde(flatten)]
        empty: Empty,
    },
    #[crd(embedded_resource)]
    Any {
        #[serde(flatten)]
        any: serde_json::Value,
    },
    #[crd(embedded_resource)]
    Named {
        #[serde(rename = "apiVersion")]
        api_version: String,
        #[serde(flatten)]
        named: Named,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(nullable)]
    number: i32,
    #[crd(nullable = false)]
    never: Option<i32>,
    #[crd(int_or_string)]
    port: i32,
    #[crd(embedded_resource)]
    text: String,
    #[crd(embedded_resource)]
    texts: BTreeMap<String, String>,
    #[crd(items(nullable))]
    items: Vec<i32>,
}

fn main() {}
