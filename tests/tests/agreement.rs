//! What rustc would say of recorded rules, and of thousands of rules with one mistake, beside what the
//! server says. `cargo xtask agreement DIR` asks rustc itself.

use std::panic;
use std::path::Path;

use crd_tests::agreement::{Account, constant_verdict, corpus, mutants};

/// How many rules with a mistake.
const MUTANTS: usize = 2_000;

#[test]
fn no_rule_is_refused_that_the_server_takes() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors");
    let mut cases = corpus(&dir);
    if cases.is_empty() {
        println!("no recorded rules beside the repository (../shared/vectors): nothing to compare");
        return;
    }
    cases.extend(mutants(&cases, MUTANTS, 1));
    // Each error is a panic, which needs no text on standard error.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let mut account = Account::default();
    for case in &cases {
        account.add(case, constant_verdict(case).as_deref());
    }
    panic::set_hook(hook);
    let text = account.render(3);
    println!("{text}");
    assert!(account.false_errors.is_empty(), "{text}");
    assert!(account.share() >= 0.95, "{text}");
}
