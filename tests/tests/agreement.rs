//! Compares the verdicts of rustc and of the server on recorded rules, and on thousands of rules with one mistake.
//! Here the constant functions are called at run time; `cargo xtask agreement DIR` runs rustc itself.

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::agreement::{
    Account, Case, Object, PricedRule, constant_verdict, corpus, documented, exact, exact_costs,
    exact_costs_on, generated, is_over_budget, least_costs, least_costs_on, mutants, objects,
    resized, with_names_and_int_or_string,
};
use crd_tests::recorded;

/// The number of rules with a mistake.
const MUTANTS: usize = 2_000;

#[test]
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn no_recorded_rule_is_rejected_that_the_server_takes() {
    agree(corpus(&recorded()));
}

#[test]
fn no_documented_rule_is_rejected_that_the_server_takes() {
    agree(documented());
}

#[test]
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn no_recorded_rule_is_estimated_above_the_servers_estimate() {
    let costs = bounds_from_below(corpus(&recorded()));
    println!("{costs:?}");
    assert!(costs.compared > 2_000 && 0 < costs.found && costs.found <= costs.over, "{costs:?}");
}

#[test]
fn no_documented_rule_is_estimated_above_the_servers_estimate() {
    let costs = bounds_from_below(documented());
    println!("{costs:?}");
    assert!(costs.compared > 2_000 && 0 < costs.found && costs.found <= costs.over, "{costs:?}");
}

/// How many rules that are drawn from grammars.
const GENERATED: usize = 5_000;

#[test]
fn no_generated_rule_is_estimated_above_the_servers_estimate() {
    let cases = generated(GENERATED, 5);
    for case in &cases {
        let exact = exact(case);
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

/// The smaller estimates of older servers too, and what only some of them know the size of.
#[test]
fn no_generated_rule_is_estimated_above_the_estimate_of_a_server_of_any_minor() {
    let cases = generated(MUTANTS, 6);
    let loosened = with_names_and_int_or_string(generated(MUTANTS, 7), 8);
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

/// How many schemas with other bounds.
const RESIZED: usize = 3_000;

#[test]
#[cfg_attr(not(recorded), ignore = "no recorded verdicts at ../shared/vectors")]
fn no_object_is_estimated_above_the_servers_estimate() {
    let mut whole = Whole::default();
    for (recorded, object) in objects(&recorded(), RESIZED, 4) {
        whole.add(recorded, &object);
    }
    println!("{whole:?}");
    assert!(whole.rules > 2_000 && whole.found > 0 && whole.totals_found > 0, "{whole:?}");
}

/// Rules where they stand in whole schemas.
#[derive(Debug, Default)]
struct Whole {
    /// How many schemas.
    schemas: usize,
    /// How many rules compile.
    rules: usize,
    /// How many of recorded schemas are over the budget, how often they can run counted, and of how many rustc says
    /// so.
    over: usize,
    found: usize,
    /// The same of schemas with other bounds.
    over_resized: usize,
    found_resized: usize,
    /// How many schemas are over the budget of all their rules, and of how many rustc says so.
    totals: usize,
    totals_found: usize,
}

impl Whole {
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

/// The most that a rule may cost.
const BUDGET: u64 = 10_000_000;
/// The most that all rules of a schema may cost together.
const TOTAL_BUDGET: u64 = 100_000_000;

#[derive(Default)]
struct Costs {
    /// How many rules compile, changed ones among them.
    compared: usize,
    /// How many unchanged rules are over the budget.
    over: usize,
    /// Of how many of those rustc says so.
    found: usize,
    /// The others.
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
fn bounds_from_below(mut cases: Vec<Case>) -> Costs {
    let recorded = cases.len();
    let (mutants, resized) = (mutants(&cases, MUTANTS, 2), resized(&cases, MUTANTS, 3));
    cases.extend(mutants.into_iter().chain(resized));
    compare_costs(&cases, recorded)
}

/// Compares all cases, and counts which of the first are over the budget.
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

#[track_caller]
fn agree(mut cases: Vec<Case>) {
    cases.extend(mutants(&cases, MUTANTS, 1));
    let mut account = Account::default();
    for case in &cases {
        account.add(case, constant_verdict(case).as_deref());
    }
    let text = account.render(3);
    assert!(account.accepted > 150 && account.false_errors.is_empty(), "{text}");
    assert_eq!(account.missed(), 0, "{text}");
}
