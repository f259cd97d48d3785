use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Frozen {
    #[crd(immutable)]
    since: Option<String>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.least <= self.most"))]
struct Range {
    least: i32,
    most: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Outer {
    #[serde(flatten)]
    range: Range,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    #[crd(rule("self.size > 0"))]
    Size { size: i32 },
    Color(String2),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct String2 {
    color: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Source {
    Text(String),
    Fields {
        name: String,
        #[serde(flatten)]
        frozen: Frozen,
    },
    Once(Frozen),
    Range(Outer),
    Tagged(Tagged),
}

fn main() {}
