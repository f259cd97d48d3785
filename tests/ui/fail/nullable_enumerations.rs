use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    On,
}

type Maybe = Option<Mode>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(nullable)]
    once: Option<Mode>,
    #[crd(nullable)]
    twice: Option<Option<Mode>>,
    #[crd(nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    some_none: Option<Maybe>,
    #[crd(nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<Mode>,
}

fn main() {}
