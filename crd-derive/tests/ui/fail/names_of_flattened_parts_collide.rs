use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    name: String,
    #[serde(rename = "type")]
    ty: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Other {
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Beside {
    name: String,
    #[serde(flatten)]
    part: Part,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Twice {
    #[serde(flatten)]
    part: Part,
    #[serde(flatten)]
    other: Option<Other>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Newtype(Part),
    Flattened {
        #[serde(flatten)]
        part: Part,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "name")]
struct TaggedStruct {
    #[serde(flatten)]
    part: Part,
}

fn main() {}
