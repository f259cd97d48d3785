//! Finds bounds that would make an expression cheap enough: tries each missing bound and keeps the
//! one that helps most, until the expression is within the limit.
//!
//! This runs only for a rejected expression.

use super::arithmetic::times;
use super::checker::cost_on;
use super::estimate::RULE_COST_LIMIT;
use super::fuel::{ADVICE, Fuel};
use super::message::Text;
use super::rule::Rule;
use super::text::equal;
use super::trace::{ELEMENTS, LENGTH, MAX_BOUNDS, ReadValue, Trace};

/// How many times a rule can run in one object.
#[derive(Clone, Copy)]
pub(super) struct RunCounts {
    /// As declared: a list or map without a bound has as many elements as fit into a request.
    pub(super) now: u64,
    /// The product of the declared bounds of the lists and maps around it.
    pub(super) bounded: u64,
    /// The number of lists and maps around it without a bound.
    pub(super) unbounded: u32,
}

impl RunCounts {
    pub(super) const ONCE: Self = Self { now: 1, bounded: 1, unbounded: 0 };

    /// The runs if each list and map without a bound had the bound [`ELEMENTS`].
    const fn once_bounded(self) -> Self {
        let (mut bounded, mut i) = (self.bounded, 0);
        while i < self.unbounded {
            bounded = times(bounded, ELEMENTS);
            i += 1;
        }
        Self { now: bounded, bounded, unbounded: 0 }
    }
}

/// Bounds with which an expression is within the limit.
#[derive(Clone, Copy)]
pub(super) struct Advice {
    bounds: [ReadValue; MAX_BOUNDS],
    count: usize,
    /// Whether the lists and maps around the value need a bound too.
    pub(super) needs_outer: bool,
}

/// Writes the bounds that make an expression cheap enough, or [`UNBOUNDED_STRING_HELP`], or nothing if neither helps.
/// The expression is evaluated once per object, and its cost estimated as by a server of this minor.
pub(super) const fn push_advice(text: &mut Text, rule: &Rule, path: &[&str], minor: u32) {
    match advice(rule, path, minor, &RunCounts::ONCE) {
        Some(advice) => advice.report(text, "the value itself"),
        None if has_unbounded_string(rule, path, minor) => text.push(UNBOUNDED_STRING_HELP),
        None => {}
    }
}

/// The help if no bounds are enough, because of a `string(..)`.
const UNBOUNDED_STRING_HELP: &str = "\nhelp: the server assumes that `string(..)` returns a string of any \
    length; a string made by `'.. %d ..'.format([..])` alone costs little";

/// Whether an expression has a `string(..)` whose size the server does not know.
const fn has_unbounded_string(rule: &Rule, path: &[&str], minor: u32) -> bool {
    let mut trace = Trace::on(minor);
    cost_on(rule, path, minor, &mut Fuel::new(ADVICE), Some(&mut trace));
    trace.unbounded_string
}

/// The bounds to suggest for the estimate of a minor of Kubernetes; `None` if [`MAX_BOUNDS`] are not enough, or if
/// finding them takes too much work in rustc.
pub(super) const fn advice(
    rule: &Rule,
    path: &[&str],
    minor: u32,
    runs: &RunCounts,
) -> Option<Advice> {
    let mut trace = Trace::on(minor);
    let mut runs = *runs;
    let mut needs_outer = false;
    let mut fuel = Fuel::new(ADVICE);
    loop {
        trace.seen_count = 0;
        let cost = cost_on(rule, path, minor, &mut fuel, Some(&mut trace));
        if fuel.is_empty() {
            return None;
        }
        let now = times(cost, runs.now);
        if now <= RULE_COST_LIMIT {
            break;
        }
        let (mut best, mut best_read) = (now, ReadValue::SELF);
        let mut i = 0;
        while i < trace.seen_count && trace.bounded_count < MAX_BOUNDS {
            let read = trace.seen[i];
            if !fuel.spend(16 * i) {
                return None;
            }
            if !read.lacks.is_empty() && trace.is_first(i) {
                let mut tried = Trace { seen_count: 0, ..trace }.with(read);
                let cost = cost_on(rule, path, minor, &mut fuel, Some(&mut tried));
                let cost = times(cost, runs.now);
                // The cost of an incomplete check is 0.
                if fuel.is_empty() {
                    return None;
                }
                if cost < best {
                    (best, best_read) = (cost, read);
                }
            }
            i += 1;
        }
        let bounded = runs.once_bounded();
        if runs.unbounded > 0 && times(cost, bounded.now) < best {
            runs = bounded;
            needs_outer = true;
        } else if best < now {
            trace = trace.with(best_read);
        } else {
            // No further bound lowers the cost, or there are `MAX_BOUNDS` already.
            return None;
        }
    }
    Some(Advice { bounds: trace.bounded, count: trace.bounded_count, needs_outer })
}

impl Advice {
    /// Whether only the lists and maps around the value need a bound.
    pub(super) const fn needs_only_outer(&self) -> bool {
        self.count == 0
    }

    /// Writes the bounds: `max_items = 64` on `hosts`, and so on. `itself` names the value of
    /// `self`.
    pub(super) const fn report(&self, text: &mut Text, itself: &str) {
        text.push("\nhelp: the cost is within the budget with ");
        let mut i = 0;
        while i < self.count {
            text.push(if i == 0 { "" } else { " and " });
            let ReadValue { name, depth, lacks, .. } = self.bounds[i];
            text.push("`");
            text.push(lacks);
            text.push(" = ");
            let is_text = equal(lacks.as_bytes(), b"max_length");
            text.push_number(if is_text { LENGTH } else { ELEMENTS });
            text.push("` on ");
            let mut level = 0;
            while level < depth {
                text.push("the elements of ");
                level += 1;
            }
            text.push(if name.is_empty() { "" } else { "`" });
            text.push(if name.is_empty() { itself } else { name });
            text.push(if name.is_empty() { "" } else { "`" });
            i += 1;
        }
    }
}
