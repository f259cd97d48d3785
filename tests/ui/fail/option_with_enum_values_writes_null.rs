use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(enum_values("a", "b"))]
    a: Option<String>,
}

type Maybe = Option<String>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Aliases {
    #[crd(enum_values("a", "b"))]
    a: Maybe,
    #[crd(items(enum_values("a", "b")))]
    list: Vec<Maybe>,
    #[crd(enum_values("a", "b"), nullable)]
    with_null: Maybe,
}

fn main() {}
