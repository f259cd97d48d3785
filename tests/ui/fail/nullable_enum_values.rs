use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(nullable, enum_values("a"))]
    text: Option<String>,
    #[crd(items(nullable, enum_values("a")))]
    texts: Vec<Option<String>>,
}

fn main() {}
