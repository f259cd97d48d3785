//! Compares the constant functions, which check rules in rustc, with `ruleset` on recorded rules and on thousands of
//! rules with one mistake. The constant functions are called at run time.

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::agreement::{
    Account, Case, Object, PricedRule, constant_verdict, corpus, documented, error_besides_costs,
    exact_costs, exact_costs_on, generated, is_over_budget, least_costs, least_costs_on, mutants,
    objects, resized, with_names_and_int_or_string,
};
use crd_tests::recorded;

/// The number of rules in a sample: with one mistake, with other bounds, or generated for the comparison of minors.
const SAMPLE: usize = 2_000;

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
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn no_recorded_rule_is_estimated_above_ruleset() {
    let costs = check_least_costs(corpus(&recorded()));
    println!("{costs:?}");
    assert!(costs.compared > 2_000 && 0 < costs.found && costs.found <= costs.over, "{costs:?}");
}

#[test]
fn no_documented_rule_is_estimated_above_ruleset() {
    let costs = check_least_costs(documented());
    println!("{costs:?}");
    assert!(costs.compared > 2_000 && 0 < costs.found && costs.found <= costs.over, "{costs:?}");
}

/// The number of generated rules.
const GENERATED: usize = 5_000;

#[test]
fn no_generated_rule_is_estimated_above_ruleset() {
    let cases = generated(GENERATED, 5);
    for case in &cases {
        let exact = error_besides_costs(case);
        if let (None, Some(text)) = (&exact, constant_verdict(case)) {
            assert!(text.contains("exceeds budget"), "{text}\n{}\n{}", case.rule, case.schema);
        }
    }
    let costs = compare_costs(&cases, cases.len());
    println!("{costs:?}");
    for text in costs.missed.iter().take(20) {
        println!("not found: {text}");
    }
    assert!(costs.compared > 4_000 && costs.found * 10 >= costs.over * 9, "{costs:?}");
}

/// Checks the estimates of all minors: older servers estimate some rules lower, and only some know the sizes of some
/// values.
#[test]
fn no_generated_rule_is_estimated_above_ruleset_of_any_minor() {
    let cases = generated(SAMPLE, 6);
    let loosened = with_names_and_int_or_string(generated(SAMPLE, 7), 8);
    let (mut compared, mut differing) = (0, 0);
    for case in cases.iter().chain(&loosened) {
        let Some(newest) = exact_costs(case) else { continue };
        for kubernetes in KubernetesVersion::ALL {
            let Some(exact) = exact_costs_on(case, kubernetes) else { continue };
            let least = least_costs_on(case, kubernetes);
            compared += 1;
            differing += usize::from(exact != newest);
            for (least, exact) in least.iter().zip(&exact) {
                let text = format!("{kubernetes}: {}\n{}", case.rule, case.schema);
                assert!(least <= exact, "{least} > {exact}: {text}");
            }
        }
    }
    println!("{compared} compared, {differing} of them with another estimate than the newest");
    assert!(compared > 8_000 && differing > 500, "{compared} compared, {differing} differing");
}

/// The number of schemas with changed bounds.
const RESIZED: usize = 3_000;

#[test]
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn no_object_is_estimated_above_ruleset() {
    let mut counts = SchemaCounts::default();
    for (recorded, object) in objects(&recorded(), RESIZED, 4) {
        counts.add(recorded, &object);
    }
    println!("{counts:?}");
    assert!(counts.rules > 2_000 && counts.found > 0 && counts.totals_found > 0, "{counts:?}");
}

/// Counts of rules in whole schemas.
#[derive(Debug, Default)]
struct SchemaCounts {
    /// The number of schemas.
    schemas: usize,
    /// The number of rules that compile.
    rules: usize,
    /// The number of rules of recorded schemas that are over the budget if they run as often as they can.
    over: usize,
    /// The number of those that rustc finds.
    found: usize,
    /// As `over`, for schemas with changed bounds.
    over_resized: usize,
    /// As `found`, for schemas with changed bounds.
    found_resized: usize,
    /// The number of schemas whose rules together are over the budget.
    totals: usize,
    /// The number of those that rustc finds.
    totals_found: usize,
}

impl SchemaCounts {
    #[track_caller]
    fn add(&mut self, recorded: bool, object: &Object) {
        self.schemas += 1;
        for PricedRule { text, least, exact, message } in &object.rules {
            self.rules += 1;
            let exact = *exact.max(message);
            assert!(*least <= exact, "{least} > {exact}: {text}");
            let (over, found) = if recorded {
                (&mut self.over, &mut self.found)
            } else {
                (&mut self.over_resized, &mut self.found_resized)
            };
            *over += usize::from(exact > BUDGET);
            *found += usize::from(*least > BUDGET);
        }
        assert!(object.least <= object.exact, "{object:?}");
        self.totals += usize::from(object.exact > TOTAL_BUDGET);
        self.totals_found += usize::from(object.least > TOTAL_BUDGET);
    }
}

/// The most that a rule may cost, in cost units.
const BUDGET: u64 = 10_000_000;
/// The most that all rules of a schema may cost together, in cost units.
const TOTAL_BUDGET: u64 = 100_000_000;

/// Counts of compared rules.
#[derive(Default)]
struct Costs {
    /// The number of rules that compile, including changed ones.
    compared: usize,
    /// The number of unchanged rules that are over the budget.
    over: usize,
    /// The number of those that rustc finds.
    found: usize,
    /// Descriptions of the others.
    missed: Vec<String>,
}

impl std::fmt::Debug for Costs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { compared, over, found, missed: _ } = self;
        write!(f, "{compared} compared, {found} of {over} found")
    }
}

/// Checks that rustc's estimates are not higher than the server's, also for rules with mistakes and with other
/// bounds.
#[track_caller]
fn check_least_costs(mut cases: Vec<Case>) -> Costs {
    let recorded = cases.len();
    let (mutants, resized) = (mutants(&cases, SAMPLE, 2), resized(&cases, SAMPLE, 3));
    cases.extend(mutants.into_iter().chain(resized));
    compare_costs(&cases, recorded)
}

/// Compares the costs of all cases. Of the first `counted` ones, counts those that are over the budget.
#[track_caller]
fn compare_costs(cases: &[Case], counted: usize) -> Costs {
    let mut costs = Costs::default();
    for (i, case) in cases.iter().enumerate() {
        let Some(exact) = exact_costs(case) else { continue };
        let least = least_costs(case);
        costs.compared += 1;
        let text = format!("{}\n{:?}\n{}", case.rule, case.message, case.schema);
        assert_eq!(least.len(), exact.len(), "{text}");
        for (least, exact) in least.iter().zip(&exact) {
            assert!(least <= exact, "{least} > {exact}: {text}");
        }
        let rejected = is_over_budget(case);
        let want = least.iter().any(|cost| *cost > BUDGET);
        assert!(rejected || !want, "{text}");
        let is_found = constant_verdict(case).is_some_and(|text| text.contains("exceeds budget"));
        assert_eq!(is_found, want, "{text}");
        if i < counted {
            costs.over += usize::from(rejected);
            costs.found += usize::from(want);
            if rejected && !want {
                costs.missed.push(format!("{least:?} < {exact:?}: {text}"));
            }
        }
    }
    costs
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
