//! Compares the constant functions, which check rules in rustc, with `ruleset` on recorded rules and on thousands of
//! rules with one mistake. The constant functions are called at run time.

use crd_tests::agreement::{
    Account, Case, constant_verdict, corpus, documented, error_besides_costs, generated, mutants,
};
use crd_tests::recorded;

/// The number of rules with one mistake.
const SAMPLE: usize = 2_000;
/// The number of generated rules.
const GENERATED: usize = 5_000;

#[test]
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn no_recorded_rule_is_rejected_that_ruleset_takes() {
    agree(corpus(&recorded()));
}

#[test]
fn no_documented_rule_is_rejected_that_ruleset_takes() {
    agree(documented());
}

#[test]
fn no_generated_rule_is_rejected_that_ruleset_takes() {
    let mut taken = 0;
    for case in &generated(GENERATED, 5) {
        if error_besides_costs(case).is_none() {
            taken += 1;
            let verdict = constant_verdict(case);
            assert_eq!(verdict, None, "{}\n{}", case.rule, case.schema);
        }
    }
    assert!(taken > 4_000, "{taken}");
}

/// Checks that the constant functions and `ruleset` agree on these rules and on mutants of them.
#[track_caller]
fn agree(mut cases: Vec<Case>) {
    cases.extend(mutants(&cases, SAMPLE, 1));
    let mut account = Account::default();
    for case in &cases {
        account.add(case, constant_verdict(case).as_deref());
    }
    let text = account.render(3);
    assert!(account.accepted > 150 && account.false_errors.is_empty(), "{text}");
    assert_eq!(account.missed(), 0, "{text}");
}
