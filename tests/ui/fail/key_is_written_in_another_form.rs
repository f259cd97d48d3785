use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(min_length = -1, max_length = "5", nullable = "yes", pattern, title("A"))]
    a: Option<String>,
    #[crd(items = 5, list_map_keys, list_type)]
    b: Vec<String>,
    #[crd(enum_values(), external_docs = "https://example.com", rule)]
    c: i32,
    #[crd(schema_with)]
    d: String,
}

fn main() {}
