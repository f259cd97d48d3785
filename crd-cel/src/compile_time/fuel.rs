//! How much work rustc is asked to do for one constant.
//!
//! rustc counts the calls and the rounds of loops of a constant, and stops at two million of them: the lint
//! `long_running_const_eval`, an error unless it is allowed. A check that would come near stops before that, and then
//! says nothing: the checks of the definition remain.

/// The most work for one expression.
pub(super) const EXPRESSION: u32 = 600_000;
/// The most work for all that is estimated of a kind.
pub(super) const WALK: u32 = 1_200_000;
/// The most work for trying which bounds would help.
pub(super) const ADVICE: u32 = 400_000;
/// The most work for writing what is wrong.
pub(super) const REPORT: u32 = 300_000;

/// What it takes at most to compare two names.
pub(super) const fn comparison(a: &str, b: &str) -> usize {
    let len = a.len();
    let alike = len == b.len() && len > 0 && a.as_bytes()[len - 1] == b.as_bytes()[len - 1];
    if alike { 16 + 3 * len } else { 16 }
}

/// What is left of the work that may be done, in calls and rounds of loops.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fuel(u32);

impl Fuel {
    pub(super) const fn new(amount: u32) -> Self {
        Self(amount)
    }

    /// Takes an amount; false where there is not so much.
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
