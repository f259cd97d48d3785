use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Folder {
    entries: Vec<Entry>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Entry {
    name: String,
    folder: Option<Box<Folder>>,
}

// Through an alias.
#[derive(CrdSchema, Serialize, Deserialize)]
struct Tree {
    branches: Branches,
}

type Branches = Vec<Tree>;

fn main() {}
