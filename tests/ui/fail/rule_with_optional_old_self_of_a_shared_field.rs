use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Target {
    Port {
        #[crd(rule("!oldSelf.hasValue() || self > oldSelf.value()", optional_old_self = true))]
        value: i32,
    },
    Weight {
        value: i32,
    },
}

fn main() {}
