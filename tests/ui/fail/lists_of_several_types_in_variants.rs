use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Names(Vec<String>),
    Flags(Vec<bool>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", content = "content")]
enum Adjacent {
    Numbers(Vec<f32>),
    Pair(String, String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Nested {
    Names(Vec<Vec<String>>),
    Flags(Vec<Vec<bool>>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum NameOrNothing {
    Name(String),
    Nothing,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", content = "content")]
enum Nullable {
    Names(NameOrNothing, NameOrNothing),
    Numbers(Vec<f32>),
}

fn main() {}
