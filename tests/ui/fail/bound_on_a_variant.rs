use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Source {
    #[crd(minimum = 1)]
    Git(String),
    #[crd(max_length = 1)]
    Http { url: String },
}

type Size = f64;

#[derive(CrdSchema, Serialize, Deserialize)]
enum Limit {
    #[crd(map_type = "granular")]
    Size(Size),
}

fn main() {}
