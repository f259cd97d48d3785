//! Types at random, compiled in one crate and held to the laws of derived types.
//!
//! `cargo xtask zoo --types N --seed S` asks more of them.

use std::path::Path;

use crd_tests::zoo::{self, Asked};

/// Types that are made, in one crate: some two minutes on two cores, most of it dependencies.
const TYPES: u64 = 200;

#[test]
fn types_at_random_keep_the_laws() {
    let asked = Asked { types: TYPES, batch: TYPES, seed: 1 };
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crd-runtime");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("zoo");
    let report = zoo::run(&asked, &dir, &runtime).expect("cargo runs");
    assert!(report.disagreements.is_empty(), "{}", report.render(&asked, 10));
    // Enough of them say something.
    assert!(report.compiled >= TYPES / 2, "{}", report.render(&asked, 0));
    assert!(report.refused >= TYPES / 20, "{}", report.render(&asked, 0));
}
