use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(immutable)]
struct Frozen {
    n: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(max_properties = 1)]
struct Small {
    a: Option<i32>,
    b: Option<i32>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(map_type = "atomic")]
struct Atom {
    c: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self == self"))]
struct Compared {
    d: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[serde(flatten)]
    frozen: Frozen,
    #[serde(flatten)]
    small: Small,
    #[serde(flatten)]
    atom: Atom,
    #[serde(flatten)]
    compared: Compared,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Choice {
    Small(Small),
}

fn main() {}
