//! Derived code allows no lint that a crate may forbid, except for those that serde's derives allow too.
#![forbid(dead_code, unused_imports, unused_variables, unreachable_patterns, unreachable_pub)]
#![forbid(deprecated, private_interfaces, private_bounds)]
#![deny(trivial_numeric_casts, unnameable_test_items)]

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Sample", namespaced, status = Status, apply)]
struct SampleSpec {
    #[crd(selectable, minimum = 1)]
    number: i32,
    #[crd(maximum = MOST)]
    share: f64,
    choice: Choice,
}

const MOST: f64 = 1.0;

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Status {
    #[crd(selectable)]
    phase: Phase,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Phase {
    Ready,
    Lost,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
#[serde(tag = "type")]
enum Choice {
    A { a: i32 },
    B { b: i32 },
}

fn main() {
    let status = Status { phase: Phase::Ready };
    for phase in [status.phase, Phase::Lost] {
        println!("{phase:?}");
    }
    for choice in [Choice::A { a: 1 }, Choice::B { b: 2 }] {
        let spec = SampleSpec { number: 1, share: 0.5, choice };
        println!("{:?} {:?}", Sample::new("a", spec), Sample::crd().spec.group);
    }
}
