//! Runs the recorded verdicts where they are present beside the repository.

use std::path::Path;

use crd_tests::conformance::{self, Expected, Options};

#[test]
fn recorded_verdicts_agree() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors");
    if !dir.is_dir() {
        println!(
            "no recorded verdicts beside the repository (../shared/vectors): nothing to compare"
        );
        return;
    }
    let expected = Expected::in_repository().expect("the list reads");
    let report = conformance::run(&dir).expect("a known version");
    let account = conformance::render(&report, &expected, &Options::default());
    println!("{account}");
    assert!(expected.judge(&report).is_as_expected(), "{account}");
}
