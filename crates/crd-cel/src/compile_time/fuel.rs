//! Limits the work that rustc does for one constant.
//!
//! rustc counts the calls and loop iterations of a constant, and reports the lint `long_running_const_eval`, an error
//! by default, at two million of them. A check that comes near the limit stops and reports nothing;
//! `definition::validate` still checks the rule.

use super::name::Name;

/// The fuel for one expression.
pub(super) const EXPRESSION: usize = 600_000;
/// The fuel for all expressions of a table. The last of them may spend twice the fuel of an expression.
pub(super) const TABLE: usize = 1_200_000;
/// The fuel for one walk over the declarations or needs of a type.
pub(super) const WALK: usize = 1_200_000;
/// The fuel for writing an error.
pub(super) const REPORT: usize = 300_000;

/// The most fuel that comparing two names takes.
pub(super) const fn comparison(a: &str, b: Name<'_>) -> usize {
    match a.as_bytes() {
        [.., last] if a.len() == b.len && *last == b.last() => 16 + 3 * b.len,
        _ => 16,
    }
}

/// Work, in calls and loop iterations.
///
/// PERF: what is done often adds to `spent` without a call, which takes rustc as long as the rest of a small function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fuel {
    pub(super) spent: usize,
    pub(super) limit: usize,
}

impl Fuel {
    pub(super) const fn new(limit: usize) -> Self {
        Self { spent: 0, limit }
    }

    /// Spends an amount, and returns whether there was enough.
    pub(super) const fn spend(&mut self, amount: usize) -> bool {
        self.spent += amount;
        self.spent <= self.limit
    }
}
