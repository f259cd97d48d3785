use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(at_least_one_of("base_image", "base-tag", "archive"))]
#[serde(rename_all = "kebab-case")]
struct Source {
    base_image: String,
    base_tag: String,
    #[serde(flatten)]
    part: Part,
    #[serde(flatten)]
    rest: serde_json::Value,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Part {
    archive: Option<String>,
}

fn main() {}
