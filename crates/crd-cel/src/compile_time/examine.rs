//! The checks that derives emit. [`examine`] returns its result; the others panic if there is an error, with its text.

use super::checker::{CheckResult, check_expression};
use super::declared::Declared;
use super::message::fail;
use super::rule::{Examined, Rule, Want};
use super::since::available;

/// Checks an expression. `path` leads from [`Rule::of`] to `self`: names of properties as rules write them, and
/// [`ELEMENTS`](super::ELEMENTS).
#[must_use]
pub const fn examine(rule: Rule, path: &'static [&'static str]) -> Examined {
    let CheckResult { error, since, .. } = check_expression(&rule, path);
    Examined { rule, path, rejected: error.is_some(), since }
}

/// Checks a rule of the type `of`, as [`examine`] does.
#[must_use]
pub const fn rule(of: &'static Declared, source: &'static str, program: &'static [u8]) -> Examined {
    let want = Want::Rule;
    let rule = Rule { of, optional_old_self: false, want, unchecked: false, source, program };
    examine(rule, &[])
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
    if let Some(text) = check_expression(&examined.rule, examined.path).error {
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
        report(&examine(Rule { of, ..examined.rule }, examined.path));
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
        report(&examine(Rule { of, ..examined.rule }, examined.path));
    }
}

/// Checks an expression and reports its errors.
///
/// # Panics
/// As [`report`].
#[track_caller]
pub const fn check(rule: Rule) {
    report(&examine(rule, &[]));
}
