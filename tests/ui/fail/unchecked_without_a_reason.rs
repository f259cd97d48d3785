//! `unchecked(..)` has a reason.

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.a / 0 > 1", unchecked()), rule("self.a / 0 > 1", unchecked(true)))]
struct Part {
    a: i32,
}

fn main() {}
