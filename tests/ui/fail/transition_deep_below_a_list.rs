use std::collections::BTreeMap;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pools {
    pools: Vec<Pool>,
    listed: Listed<Pool>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Listed<T> {
    items: Vec<T>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pool {
    name: String,
    volumes: BTreeMap<String, Volume>,
    source: Source,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Volume {
    #[crd(immutable)]
    class: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Source {
    Image(String),
    Parts(Vec<Part>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Part {
    Git {
        #[crd(immutable)]
        url: String,
    },
    Empty,
}

fn main() {}
