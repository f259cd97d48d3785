use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

type Number = u8;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(required)]
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    #[crd(required, default = 3)]
    defaulted: u8,
    #[crd(optional)]
    not_read: u8,
    #[crd(optional, required)]
    both: Option<u8>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Alias {
    #[crd(optional)]
    not_read: Number,
}

fn main() {}
