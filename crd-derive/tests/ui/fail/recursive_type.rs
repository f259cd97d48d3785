use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Node {
    children: Vec<Node>,
    next: Option<Box<Self>>,
}

fn main() {}
