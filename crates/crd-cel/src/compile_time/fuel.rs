//! Limits the work that rustc does for one constant.
//!
//! rustc counts the calls and loop iterations of a constant, and reports the lint `long_running_const_eval`, an error
//! by default, at two million of them. A check that comes near the limit stops and reports nothing;
//! `definition::validate` still checks the rule.

/// The fuel for one expression.
pub(super) const EXPRESSION: u32 = 600_000;
/// The fuel for one walk over the declarations or needs of a type.
pub(super) const WALK: u32 = 1_200_000;
/// The fuel for writing an error.
pub(super) const REPORT: u32 = 300_000;

/// The most fuel that comparing two names takes.
pub(super) const fn comparison(a: &str, b: &str) -> usize {
    let len = a.len();
    let alike = len == b.len() && len > 0 && a.as_bytes()[len - 1] == b.as_bytes()[len - 1];
    if alike { 16 + 3 * len } else { 16 }
}

/// The remaining work, in calls and loop iterations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fuel(u32);

impl Fuel {
    pub(super) const fn new(amount: u32) -> Self {
        Self(amount)
    }

    /// Takes an amount. If less is left, takes all of it and returns `false`.
    pub(super) const fn spend(&mut self, amount: usize) -> bool {
        if amount > self.0 as usize {
            self.0 = 0;
            return false;
        }
        #[expect(clippy::cast_possible_truncation, reason = "no more than is left")]
        let amount = amount as u32;
        self.0 -= amount;
        true
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
