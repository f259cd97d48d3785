//! Lower and upper bounds of costs and sizes, with saturating arithmetic.
//!
//! Source: cel-go `checker/cost.go`, `CostEstimate`, `SizeEstimate`.

/// A cost estimate: a lower and an upper bound of the cost of an evaluation.
///
/// The run-time cost can be outside these bounds, because the server's estimate is not exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CostEstimate {
    /// The least, in cost units.
    pub min: u64,
    /// The most, in cost units; `u64::MAX` if there is no bound.
    pub max: u64,
}

/// Bounds of the number of elements (code points, bytes, items, entries) of a value.
pub(super) type Size = CostEstimate;

impl CostEstimate {
    /// No bound.
    pub(super) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };
    /// No cost, or no elements.
    pub(super) const ZERO: Self = Self::exactly(0);
    /// One unit.
    pub(super) const ONE: Self = Self::exactly(1);
    /// The neutral element of unions: `NONE_YET.or(other)` is `other`.
    pub(super) const NONE_YET: Self = Self { min: u64::MAX, max: 0 };

    pub(super) const fn exactly(n: u64) -> Self {
        Self { min: n, max: n }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// Both bounds times a factor, rounded up.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { min: scale(self.min, factor), max: scale(self.max, factor) }
    }

    /// The union: the narrowest bounds that include both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the server's arithmetic: through a float64; a cast saturates"
)]
fn scale(n: u64, factor: f64) -> u64 {
    (n as f64 * factor).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_round_up_and_saturate() {
        for (n, factor, want) in [
            (0, 0.1, 0),
            (1, 0.1, 1),
            (10, 0.1, 1),
            (11, 0.1, 2),
            (3, 0.25, 1),
            (7, 1.0, 7),
            (u64::MAX, 0.1, 1_844_674_407_370_955_264),
            (u64::MAX, 1.0, u64::MAX),
            (u64::MAX, 2.0, u64::MAX),
            (u64::MAX, f64::MAX, u64::MAX),
            (1 << 63, 2.0, u64::MAX),
        ] {
            assert_eq!(scale(n, factor), want, "{n} * {factor}");
        }
    }

    #[test]
    fn sums_and_products_saturate() {
        let most = CostEstimate::UNKNOWN;
        assert_eq!(most.plus(CostEstimate::ONE), CostEstimate { min: 1, max: u64::MAX });
        assert_eq!(most.times(CostEstimate::exactly(2)), most);
        assert_eq!(most.times(CostEstimate::ZERO), CostEstimate::ZERO);
        assert_eq!(CostEstimate::NONE_YET.or(CostEstimate::ONE), CostEstimate::ONE);
    }
}
