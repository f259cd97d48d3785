use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Source {
    #[crd(minimum = 1)]
    Git(String),
    #[crd(max_length = 1)]
    Http { url: String },
}

fn main() {}
