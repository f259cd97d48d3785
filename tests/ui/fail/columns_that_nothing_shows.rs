use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Port {
    #[crd(print_column)]
    port: u16,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Deep {
    inner: Option<Deeper>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Deeper {
    #[crd(selectable)]
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Choice {
    Port(Port),
    Struct { deep: Deep },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    ports: Vec<Port>,
    deep: BTreeMap<String, Deep>,
}

fn main() {}
