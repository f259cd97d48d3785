use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Node {
    #[crd(preserve_unknown_fields)]
    children: Vec<Node>,
    #[crd(preserve_unknown_fields)]
    next: Option<Box<Node>>,
}

fn main() {}
