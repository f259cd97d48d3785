//! The values that an expression reads, with the bounds that each could have.

use super::declared::{Declared, MAX_STRING, MaxElements};
use super::estimate::Estimate;
use super::text::equal;
use crate::kubernetes::Change;

/// The bound to try for lists and maps, in elements.
pub(super) const ELEMENTS: u64 = 64;
/// The bound to try for strings, in code points.
pub(super) const LENGTH: u64 = 256;
/// The most values of an expression that are recorded.
const MAX_VALUES: usize = 48;
/// The most bounds that are suggested.
pub(super) const MAX_BOUNDS: usize = 3;

/// A value that an expression reads, by the names that its author knows.
#[derive(Clone, Copy)]
pub(super) struct ReadValue {
    /// The field that holds it, directly or in lists and maps; empty for `self`.
    pub(super) name: &'static str,
    /// The number of lists and maps between that field and the value.
    pub(super) depth: u8,
    /// The attribute with the missing bound; empty if no bound is missing.
    pub(super) lacks: &'static str,
    /// The number of the value in the program.
    value: usize,
}

impl ReadValue {
    pub(super) const SELF: Self = Self::of("");

    pub(super) const fn of(name: &'static str) -> Self {
        Self { name, depth: 0, lacks: "", value: 0 }
    }

    const fn is_of_same_field(&self, other: &Self) -> bool {
        self.depth == other.depth && equal(self.name.as_bytes(), other.name.as_bytes())
    }
}

/// The values that an expression reads, and those for which the estimate assumes a suggested bound.
#[derive(Clone, Copy)]
pub(super) struct Trace {
    /// The minor of Kubernetes whose estimate it is.
    pub(super) minor: u32,
    pub(super) seen: [ReadValue; MAX_VALUES],
    pub(super) seen_count: usize,
    pub(super) bounded: [ReadValue; MAX_BOUNDS],
    pub(super) bounded_count: usize,
    /// Whether the server does not know the size of the result of a `string(..)`.
    pub(super) unbounded_string: bool,
}

impl Trace {
    /// No values yet, for the estimate of a minor of Kubernetes.
    pub(super) const fn on(minor: u32) -> Self {
        Self {
            minor,
            seen: [ReadValue::SELF; MAX_VALUES],
            seen_count: 0,
            bounded: [ReadValue::SELF; MAX_BOUNDS],
            bounded_count: 0,
            unbounded_string: false,
        }
    }

    /// Records a value and returns its estimate, with the suggested bound if the trace assumes it for the field.
    pub(super) const fn value(
        &mut self,
        value: usize,
        read: ReadValue,
        estimate: Estimate,
    ) -> Estimate {
        if self.seen_count == MAX_VALUES {
            return estimate;
        }
        let (lacks, bounded) = match estimate.of {
            Some(Declared::Dyn(_)) if self.minor < Change::SizesOfIntOrString.minor() => {
                ("", estimate.size)
            }
            Some(Declared::Text(most) | Declared::Dyn(most)) if *most == MAX_STRING => {
                ("max_length", 4 * LENGTH)
            }
            Some(Declared::List(_, MaxElements::Fitting)) => ("max_items", ELEMENTS),
            Some(Declared::Map(_, MaxElements::Fitting)) => ("max_properties", ELEMENTS),
            _ => ("", estimate.size),
        };
        let read = ReadValue { lacks, value, ..read };
        let mut i = 0;
        while i < self.bounded_count {
            if self.bounded[i].is_of_same_field(&read) {
                return self
                    .note(ReadValue { lacks: "", ..read }, Estimate { size: bounded, ..estimate });
            }
            i += 1;
        }
        self.note(read, estimate)
    }

    /// Records the variable of a comprehension over the value of number `range`.
    pub(super) const fn element(
        &mut self,
        value: usize,
        range: usize,
        estimate: Estimate,
    ) -> Estimate {
        let mut i = 0;
        while i < self.seen_count {
            let seen = self.seen[i];
            if seen.value == range {
                return self.value(value, ReadValue { depth: seen.depth + 1, ..seen }, estimate);
            }
            i += 1;
        }
        estimate
    }

    const fn note(&mut self, read: ReadValue, estimate: Estimate) -> Estimate {
        self.seen[self.seen_count] = read;
        self.seen_count += 1;
        estimate
    }

    /// Assumes the suggested bound of a value.
    pub(super) const fn with(mut self, read: ReadValue) -> Self {
        self.bounded[self.bounded_count] = read;
        self.bounded_count += 1;
        self
    }

    /// Whether no earlier value is of the same field.
    pub(super) const fn is_first(&self, index: usize) -> bool {
        let mut i = 0;
        while i < index {
            if self.seen[i].is_of_same_field(&self.seen[index]) {
                return false;
            }
            i += 1;
        }
        true
    }
}
