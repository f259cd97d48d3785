//! What an evaluation may use: cost as the API server counts it, and memory as we do.

use crate::error::EvalError;

/// The most memory, in bytes, that one evaluation may take for the values it builds.
///
/// Ours alone: the server trusts its estimate and would be killed by the system. A rule within the
/// server's cost limit of 1,000,000 comes nowhere near.
pub(crate) const MEMORY_LIMIT: u64 = 256 << 20;

/// The running account of one evaluation.
#[derive(Debug)]
pub(crate) struct Budget {
    cost: u64,
    cost_limit: u64,
    memory: u64,
}

impl Budget {
    /// An account that ends at `cost_limit` cost units.
    pub(crate) fn new(cost_limit: u64) -> Self {
        Self { cost: 0, cost_limit, memory: 0 }
    }

    /// The cost so far.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds to the cost.
    ///
    /// # Errors
    /// Where the limit is exceeded; the evaluation must end with that error.
    #[inline]
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), EvalError> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > self.cost_limit { Err(EvalError::COST_LIMIT) } else { Ok(()) }
    }

    /// Adds 1 to the cost for each of some steps that nothing happens between. As where each is charged
    /// alone, the cost stops at the first that exceeds the limit.
    ///
    /// # Errors
    /// As [`Budget::charge`].
    #[inline]
    pub(crate) fn charge_steps(&mut self, steps: u64) -> Result<(), EvalError> {
        self.charge(steps).inspect_err(|_| self.cost = self.cost_limit.saturating_add(1))
    }

    /// As [`Budget::charge`], if that is within the limit; nothing is added otherwise.
    #[inline]
    pub(crate) fn charge_within(&mut self, cost: u64) -> bool {
        let sum = self.cost.saturating_add(cost);
        let within = sum <= self.cost_limit;
        if within {
            self.cost = sum;
        }
        within
    }

    /// Takes back some of the cost.
    pub(crate) fn refund(&mut self, cost: u64) {
        self.cost = self.cost.saturating_sub(cost);
    }

    /// Announces `bytes` of a value about to be built. Anything whose size is not bounded by a constant
    /// times the size of an operand must ask first.
    ///
    /// # Errors
    /// Where the limit is exceeded; the evaluation must end with that error.
    #[inline]
    pub(crate) fn allocate(&mut self, bytes: u64) -> Result<(), EvalError> {
        self.memory = self.memory.saturating_add(bytes);
        if self.memory > MEMORY_LIMIT { Err(EvalError::MEMORY_LIMIT) } else { Ok(()) }
    }
}
