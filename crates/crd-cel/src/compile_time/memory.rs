//! The memory of a check.

use super::basic;
use super::declared::Declared;
use super::message::Issues;
use super::origin::Value;
use super::types::{Type, TypeMemory};

/// Enough memory for the check of most rules, as the `N` of [`Memory`].
pub(super) const SMALL: usize = 64;
/// The most memory that a check may use, as the `N` of [`Memory`].
pub(super) const LARGE: usize = 1024;

/// The arrays of a check, with `N` elements each.
///
/// PERF: A check borrows them, because rustc copies an array whenever the struct that owns it is moved or returned, and
/// it copies arrays of pointers slowly.
pub(super) struct Memory<const N: usize> {
    nodes: [Type; N],
    bound: [Type; N],
    trail: [(u16, Type); N],
    alternatives: [Option<&'static Declared>; N],
    values: [Value; N],
    issues: Issues,
}

/// [`Memory`] that a check has borrowed.
pub(super) struct Lent<'m> {
    pub(super) types: TypeMemory<'m>,
    pub(super) values: &'m mut [Value],
    pub(super) issues: &'m mut Issues,
}

impl<const N: usize> Memory<N> {
    /// Memory for a check. PERF: a constant is copied at once, while a function makes and moves each array.
    pub(super) const NEW: Self = {
        let free = Type::Basic(basic::FREE);
        Self {
            nodes: [free; N],
            bound: [free; N],
            trail: [(0, free); N],
            alternatives: [None; N],
            values: [Value::COMPUTED; N],
            issues: Issues::new(),
        }
    };

    pub(super) const fn lend(&mut self) -> Lent<'_> {
        let Self { nodes, bound, trail, alternatives, values, issues } = self;
        Lent { types: TypeMemory { nodes, bound, trail, alternatives, size: N }, values, issues }
    }
}
