use std::collections::BTreeMap;
use std::marker::PhantomData;

use crd_runtime::crd_schema::open_object;
use crd_runtime::{CrdSchema, base64};
use serde::{Deserialize, Serialize};
use serde_json::Value;

// The elements of a list have one schema.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Range(i32, #[crd(minimum = 0)] i32);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Mixed(#[serde(with = "base64")] Vec<u8>, Vec<u8>);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Required(#[crd(required)] i32, #[crd(required)] i32);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Newtype(#[crd(optional)] Option<String>);

// The fields are not read.
#[derive(CrdSchema, Serialize, Deserialize, Clone)]
#[serde(from = "String", into = "String")]
struct Converted {
    #[crd(max_length = 3, maxlength)]
    text: String,
}

impl From<String> for Converted {
    fn from(text: String) -> Self {
        Self { text }
    }
}

impl From<Converted> for String {
    fn from(converted: Converted) -> Self {
        converted.text
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(schema_with = open_object)]
struct Replaced {
    #[crd(minimum = 1)]
    number: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Variants {
    #[serde(skip)]
    #[crd(title = "Skipped")]
    Skipped(#[crd(minimum = 1)] i32),
    #[crd(schema_with = open_object)]
    Replaced(#[crd(max_properties = 3)] BTreeMap<String, String>),
    Other(String),
}

// Any JSON has no schema of elements and values.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Open {
    #[crd(items(max_length = 3))]
    list: Value,
    #[crd(values(rule("self == 1")))]
    map: BTreeMap<String, Value>,
}

// serde reads another form than it writes.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Written(i32, #[serde(skip_deserializing)] i32);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Skipped<T>(#[serde(skip)] PhantomData<T>);

fn main() {}
