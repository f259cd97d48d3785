//! Compiles random types, and checks the laws of derived types on them.
//!
//! `cargo dev zoo --types N --seed S` tests more types.

use std::path::Path;

use crd_tests::zoo::{self, Sampling};

use crate::RUSTC;

/// The number of types.
const TYPES: u64 = 100;
/// The number of types in one crate.
const BATCH: u64 = 50;

#[test]
fn types_at_random_keep_the_laws() {
    let sampling = Sampling { types: TYPES, batch: BATCH, seed: 1 };
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("zoo");
    let report = zoo::run(&sampling, &dir, &RUSTC).expect("the types are judged");
    assert!(report.disagreements.is_empty(), "{}", report.render(&sampling, 10));
    // Enough types compile, and enough are rejected, for the test to be meaningful.
    assert!(report.compiled >= TYPES / 2, "{}", report.render(&sampling, 0));
    assert!(report.rejected >= TYPES / 20, "{}", report.render(&sampling, 0));
    // The laws are about the values of these types, and about the objects that the server admits.
    assert!(report.written >= report.compiled * 15, "{}", report.render(&sampling, 0));
    assert!(report.read >= report.compiled * 10, "{}", report.render(&sampling, 0));
}
