//! A rule as a derive emits it for rustc, and what its check has found.

use super::declared::Declared;
use super::estimate::RULE_COST_LIMIT;

/// The elements of a list or the values of a map, in [`Examined::path`].
pub const ELEMENTS: &str = "[]";

/// The role of an expression, which determines its type.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// A rule: `bool`.
    Rule,
    /// A message expression: `string`.
    Message,
}

/// Where the cost of an expression is checked against the limit.
#[derive(Debug, Clone, Copy)]
pub enum CostCheck {
    /// At the expression itself: it is evaluated once per object, and its cost is final.
    Here,
    /// At the kind: its cost for one value is final, but only the kind knows how many values there
    /// are.
    PerValue,
    /// At the kind, after a new estimate: attributes where the type is used may add narrower
    /// bounds.
    AtUse,
}

/// An expression, and the type of `self` in it.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The type of `self`.
    pub of: &'static Declared,
    /// Whether `oldSelf` is an optional.
    pub optional_old_self: bool,
    /// The role of the expression.
    pub want: Want,
    /// Where its cost is checked against the limit.
    pub cost_check: CostCheck,
    /// Whether `unchecked` turns the lints off.
    pub unchecked: bool,
    /// The expression as written.
    pub source: &'static str,
    /// The expression as [`Program`](super::Program).
    pub program: &'static [u8],
}

impl Rule {
    /// Whether its cost for one value is checked at the expression and exceeds the limit of a rule.
    pub(super) const fn costs_too_much(&self, cost: u64) -> bool {
        matches!(self.cost_check, CostCheck::Here) && cost > RULE_COST_LIMIT
    }
}

/// The result of checking an expression.
#[derive(Debug, Clone, Copy)]
pub struct Examined {
    pub(super) rule: Rule,
    /// The path from [`Rule::of`] to `self`: names of properties as rules write them, and
    /// [`ELEMENTS`].
    pub(super) path: &'static [&'static str],
    /// Its lowest possible cost for one value, in cost units; 0 if it does not compile or exceeds
    /// the limits here.
    pub(super) cost: u64,
    /// Whether the server would reject it.
    pub(super) rejected: bool,
    /// The first minor of Kubernetes that has all functions that it calls; 0 if all known minors
    /// do.
    pub(super) since: u32,
    /// The first minor from which on servers estimate its cost as the newest does; 0 if all known
    /// minors do.
    pub(super) varies_before: u32,
}
