//! What rustc would say of recorded rules, and of thousands of rules with one mistake, beside what the
//! server says. `cargo xtask agreement DIR` asks rustc itself.

use std::path::Path;

use crd_tests::agreement::{Account, Case, constant_verdict, corpus, documented, mutants};

/// How many rules with a mistake.
const MUTANTS: usize = 2_000;

#[test]
fn no_recorded_rule_is_refused_that_the_server_takes() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors");
    let cases = corpus(&dir);
    if cases.is_empty() {
        println!("no recorded rules beside the repository (../shared/vectors): nothing to compare");
        return;
    }
    agree(cases);
}

#[test]
fn no_documented_rule_is_refused_that_the_server_takes() {
    agree(documented());
}

#[track_caller]
fn agree(mut cases: Vec<Case>) {
    cases.extend(mutants(&cases, MUTANTS, 1));
    let mut account = Account::default();
    for case in &cases {
        account.add(case, constant_verdict(case).as_deref());
    }
    let text = account.render(3);
    assert!(account.accepted > 150 && account.false_errors.is_empty(), "{text}");
    assert!(account.share() >= 0.95, "{text}");
}
