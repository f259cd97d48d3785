use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Job {
    #[validate(length(min = 1))]
    name: String,
    #[validate(range(min = 1, max = 9))]
    size: i32,
    #[validate(email)]
    owner: String,
    // Kept for the crate `validator`.
    #[validate(url)]
    #[crd(unchecked("validator checks it"))]
    home: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Source {
    #[validate(nested)]
    Git(#[validate(regex = "^a")] String),
}

fn main() {}
