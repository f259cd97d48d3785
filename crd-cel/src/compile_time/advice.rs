//! Finds bounds that would make an expression cheap enough: tries each missing bound and keeps the one that helps most,
//! until the expression is within the limit.
//!
//! This runs only for a rejected expression.

use super::check::{Rule, cost_within};
use super::declared::{Declared, MAX_STRING, Most};
use super::estimate::{Known, RULE_COST_LIMIT, times};
use super::fuel::{ADVICE, Fuel};
use super::message::Text;
use super::text::equal;

/// What is tried for lists and maps, in elements.
const ELEMENTS: u64 = 64;
/// What is tried for strings, in code points.
const LENGTH: u64 = 256;
/// The most values of an expression that are looked at.
const MAX_VALUES: usize = 48;
/// The most bounds that are advised.
const MAX_BOUNDS: usize = 3;

/// A value of an expression, as its author knows it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// The field that it is, or is in; empty if it is the value that the rule is about.
    name: &'static str,
    /// How many lists and maps it is within, from there.
    depth: u8,
    /// The attribute that it lacks, or nothing.
    lacks: &'static str,
    /// The number of the value.
    value: usize,
}

impl Spot {
    pub(super) const SELF: Self = Self::of("");

    pub(super) const fn of(name: &'static str) -> Self {
        Self { name, depth: 0, lacks: "", value: 0 }
    }

    const fn is(&self, other: &Self) -> bool {
        self.depth == other.depth && equal(self.name.as_bytes(), other.name.as_bytes())
    }
}

/// What an expression reads, and what is taken to have a bound.
#[derive(Clone, Copy)]
pub(super) struct Trace {
    seen: [Spot; MAX_VALUES],
    seen_count: usize,
    bounded: [Spot; MAX_BOUNDS],
    bounded_count: usize,
    /// Whether the server does not know the size of the result of a `string(..)`.
    pub(super) endless_text: bool,
}

impl Trace {
    const NEW: Self = Self {
        seen: [Spot::SELF; MAX_VALUES],
        seen_count: 0,
        bounded: [Spot::SELF; MAX_BOUNDS],
        bounded_count: 0,
        endless_text: false,
    };

    /// A value that is read, with the size that it is taken to have.
    pub(super) const fn value(&mut self, value: usize, spot: Spot, known: Known) -> Known {
        if self.seen_count == MAX_VALUES {
            return known;
        }
        let (lacks, bounded) = match known.of {
            Some(Declared::Text(most)) if *most == MAX_STRING => ("max_length", 4 * LENGTH),
            Some(Declared::List(_, Most::Fitting)) => ("max_items", ELEMENTS),
            Some(Declared::Map(_, Most::Fitting)) => ("max_properties", ELEMENTS),
            _ => ("", known.size),
        };
        let spot = Spot { lacks, value, ..spot };
        let mut i = 0;
        while i < self.bounded_count {
            if self.bounded[i].is(&spot) {
                return self.note(Spot { lacks: "", ..spot }, Known { size: bounded, ..known });
            }
            i += 1;
        }
        self.note(spot, known)
    }

    /// A variable that goes through the value of a number.
    pub(super) const fn element(&mut self, value: usize, range: usize, known: Known) -> Known {
        let mut i = 0;
        while i < self.seen_count {
            let seen = self.seen[i];
            if seen.value == range {
                return self.value(value, Spot { depth: seen.depth + 1, ..seen }, known);
            }
            i += 1;
        }
        known
    }

    const fn note(&mut self, spot: Spot, known: Known) -> Known {
        self.seen[self.seen_count] = spot;
        self.seen_count += 1;
        known
    }

    /// The same, with a bound more.
    const fn with(mut self, spot: Spot) -> Self {
        self.bounded[self.bounded_count] = spot;
        self.bounded_count += 1;
        self
    }
}

/// How often a rule can run in one object.
#[derive(Clone, Copy)]
pub(super) struct Runs {
    /// As it is.
    pub(super) now: u64,
    /// The product of the bounds above.
    pub(super) bounded: u64,
    /// How many lists and maps above have no bound.
    pub(super) unbounded: u32,
}

impl Runs {
    pub(super) const ONCE: Self = Self { now: 1, bounded: 1, unbounded: 0 };

    const fn once_bounded(self) -> Self {
        let (mut bounded, mut i) = (self.bounded, 0);
        while i < self.unbounded {
            bounded = times(bounded, ELEMENTS);
            i += 1;
        }
        Self { now: bounded, bounded, unbounded: 0 }
    }
}

/// The bounds with which an expression is within the limit.
#[derive(Clone, Copy)]
pub(super) struct Advice {
    bounds: [Spot; MAX_BOUNDS],
    count: usize,
    /// Whether all that is above needs a bound as well.
    pub(super) above: bool,
}

/// What is said where no bounds help, and the cause is `string(..)`.
pub(super) const ENDLESS_TEXT_HELP: &str = "\nhelp: the server assumes that `string(..)` returns a string of any \
    length; a string made by `'.. %d ..'.format([..])` alone costs little";

/// Whether an expression has a `string(..)` whose size the server does not know.
pub(super) const fn makes_endless_text(rule: &Rule, way: &[&str]) -> bool {
    let mut trace = Trace::NEW;
    cost_within(rule, way, &mut Fuel::new(ADVICE), Some(&mut trace));
    trace.endless_text
}

/// The bounds to advise; `None` if a few bounds are not enough.
pub(super) const fn advice(rule: &Rule, way: &[&str], runs: &Runs) -> Option<Advice> {
    let mut trace = Trace::NEW;
    let mut runs = *runs;
    let mut above = false;
    let mut fuel = Fuel::new(ADVICE);
    loop {
        trace.seen_count = 0;
        let cost = cost_within(rule, way, &mut fuel, Some(&mut trace));
        if fuel.is_empty() {
            return None;
        }
        let now = times(cost, runs.now);
        if now <= RULE_COST_LIMIT {
            break;
        }
        let (mut best, mut best_spot) = (now, Spot::SELF);
        let mut i = 0;
        while i < trace.seen_count && trace.bounded_count < MAX_BOUNDS {
            let spot = trace.seen[i];
            if !fuel.spend(16 * i) {
                return None;
            }
            if !spot.lacks.is_empty() && trace.is_first(i) {
                let mut tried = Trace { seen_count: 0, ..trace }.with(spot);
                let cost = times(cost_within(rule, way, &mut fuel, Some(&mut tried)), runs.now);
                // What is not gone through to its end costs nothing.
                if fuel.is_empty() {
                    return None;
                }
                if cost < best {
                    (best, best_spot) = (cost, spot);
                }
            }
            i += 1;
        }
        let bounded = runs.once_bounded();
        if runs.unbounded > 0 && times(cost, bounded.now) < best {
            runs = bounded;
            above = true;
        } else if best < now {
            trace = trace.with(best_spot);
        } else {
            // A few bounds are not enough.
            return None;
        }
    }
    Some(Advice { bounds: trace.bounded, count: trace.bounded_count, above })
}

impl Trace {
    /// Whether no value before reads the same.
    const fn is_first(&self, index: usize) -> bool {
        let mut i = 0;
        while i < index {
            if self.seen[i].is(&self.seen[index]) {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl Advice {
    /// Whether there is no bound but those above.
    pub(super) const fn is_above_alone(&self) -> bool {
        self.count == 0
    }

    /// `max_items = 64` on `hosts`, and so on; `itself` is what the expression is about.
    pub(super) const fn report(&self, text: &mut Text, itself: &str) {
        text.push("\nhelp: the cost is within the budget with ");
        let mut i = 0;
        while i < self.count {
            text.push(if i == 0 { "" } else { " and " });
            let Spot { name, depth, lacks, .. } = self.bounds[i];
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
