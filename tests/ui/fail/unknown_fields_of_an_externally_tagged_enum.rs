use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(preserve_unknown_fields)]
enum Source {
    File { path: String },
    Url(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Store {
    Memory { size: u32 },
    Disk(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Cache {
    #[crd(preserve_unknown_fields)]
    store: Store,
    #[crd(items(preserve_unknown_fields))]
    more: Vec<Store>,
}

// The other representations ignore fields that serde does not know.
#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(preserve_unknown_fields)]
#[serde(tag = "type")]
enum Internal {
    File { path: String },
    Memory { size: u32 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(preserve_unknown_fields)]
#[serde(tag = "type", content = "of")]
enum Adjacent {
    File { path: String },
    Memory { size: u32 },
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum WithOpenContent {
    #[crd(preserve_unknown_fields)]
    File { path: String },
    Memory { size: u32 },
}

fn main() {}
