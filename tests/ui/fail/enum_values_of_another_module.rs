use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

mod other {
    #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize)]
    pub struct Name(String);
    #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize)]
    pub enum Mode {
        Fast,
        Slow,
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(enum_values("a", 1))]
    a: other::Name,
    #[crd(enum_values("Fast", "Slwo"))]
    b: other::Mode,
}

fn main() {}
