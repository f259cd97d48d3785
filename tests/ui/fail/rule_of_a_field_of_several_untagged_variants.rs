use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Count {
    #[crd(rule("self > 0"))]
    size: i32,
    unit: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Parts {
    size: Vec<i32>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum OfSeveralTypes {
    Count(Count),
    Parts(Parts),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Plain {
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum OfOneType {
    Plain(Plain),
    Count(Count),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Below {
    Count { of: Vec<Count>, unit: String },
    Plain { of: Vec<Plain> },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum BesideATag {
    Count(Count),
    #[serde(untagged)]
    Plain(Plain),
}

// The rules of both are the same.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Same {
    Count { of: Count, unit: String },
    More { of: Count },
}

// A rule can test the tag.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Count(Count),
    Plain(Plain),
}

fn main() {}
