//! The checks that derives emit. [`examine`] returns its result; the others panic if there is an error, with its text.

use super::checker::{CheckResult, check_expression};
use super::declared::Declared;
use super::fuel::{EXPRESSION, TABLE};
use super::message::fail;
use super::rule::{Examined, Rule};
use super::since::available;

/// Checks the expressions of a type, in one constant: of the time to check an expression that did not change, rustc spends
/// most on the list of functions that the check calls.
///
/// They share the fuel. What is left when it is spent is not checked.
#[must_use]
pub const fn examine<const N: usize>(rules: &[Rule; N]) -> [Examined; N] {
    let mut all = [Examined { rule: rules[0], rejected: false, since: 0 }; N];
    let mut fuel = TABLE;
    let mut at = 0;
    while at < N {
        let limit = if fuel < EXPRESSION { fuel } else { EXPRESSION };
        let CheckResult { error, since, spent, .. } = check_expression(&rules[at], limit);
        all[at] = Examined { rule: rules[at], rejected: error.is_some(), since };
        fuel = fuel.saturating_sub(spent);
        at += 1;
    }
    all
}

/// Reports the errors of an expression.
///
/// # Panics
/// If the server would reject it; in a constant this is an error of rustc.
#[track_caller]
pub const fn report(examined: &Examined) {
    if !examined.rejected {
        return;
    }
    if let Some(text) = check_expression(&examined.rule, EXPRESSION).error {
        fail(&text);
    }
}

/// Reports the errors of an expression of a kind, and functions in it that servers since the minor `oldest` lack.
///
/// # Panics
/// As [`report`] and [`available`].
#[track_caller]
pub const fn report_on(examined: &Examined, oldest: u32) {
    report(examined);
    available(examined, oldest);
}

/// Reports the errors of a rejected expression against the complete type `of`. The first check is against only the
/// fields that the expression mentions, so its error could not list the others.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn report_of(examined: &Examined, of: &'static Declared) {
    if examined.rejected {
        check(Rule { of, ..examined.rule });
    }
}

/// Checks an accepted expression again, with the type that generic parameters give it. A rejected one has been reported
/// already.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn report_within(examined: &Examined, of: &'static Declared) {
    if !examined.rejected {
        check(Rule { of, ..examined.rule });
    }
}

/// Checks an expression and reports its errors.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn check(rule: Rule) {
    let [examined] = examine(&[rule]);
    report(&examined);
}
