//! Arithmetic of costs and sizes, which saturates.

/// The largest cost and size. Larger ones are treated as equal to it.
///
/// The server uses 2^64 - 1 elements for an unknown size.
pub(super) const CAP: u64 = 1 << 40;

pub(super) const fn add(a: u64, b: u64) -> u64 {
    smaller(a.saturating_add(b), CAP)
}

pub(super) const fn times(a: u64, b: u64) -> u64 {
    smaller(a.saturating_mul(b), CAP)
}

/// A tenth, rounded up: the cost of traversing a string.
pub(super) const fn tenth(n: u64) -> u64 {
    n.div_ceil(10)
}

pub(super) const fn smaller(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

pub(super) const fn larger(a: u64, b: u64) -> u64 {
    if a > b { a } else { b }
}
