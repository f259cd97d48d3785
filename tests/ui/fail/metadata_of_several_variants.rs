use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum TwoTypes {
    Pair { metadata: Vec<i64>, name: String },
    Number { metadata: f64 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Labelled {
    metadata: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Counted {
    metadata: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum BelowAField {
    Labelled { of: Labelled },
    Counted { of: Counted },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum BesideAnything {
    Labelled(Labelled),
    Other(Value),
}

// The types are the same, or any value is one of the enum.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Same {
    Labelled(Labelled),
    Other { metadata: String, name: String },
    Named { name: String },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Anything {
    Labelled(Labelled),
    Other(Value),
}

fn main() {}
