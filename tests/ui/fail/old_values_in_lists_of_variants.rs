use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Port {
    #[crd(immutable)]
    number: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Tuples {
    Lists(Vec<Port>, Vec<Port>),
    Tuples((Port, Port), (Port, Port)),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum NumberOrPorts {
    Number(i32),
    Ports(Vec<Port>),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum NumberOrPair {
    Number(i32),
    Pair((Port, Port)),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    ports: NumberOrPorts,
    pair: NumberOrPair,
}

fn main() {}
