//! The limits of an evaluation: cost as the API server counts it, and memory and steps, which the server does not
//! limit.

use crate::error::EvalError;
use crate::minors::KubernetesVersion;
use crate::re2::{self, Regex};
use crate::steps::Steps;

/// The most memory, in bytes, that one evaluation may take for the values it builds.
///
/// Ours alone: the server trusts its estimate and would be killed by the system. A rule within the
/// server's cost limit of 1,000,000 comes nowhere near.
pub(crate) const MEMORY_LIMIT: u64 = 256 << 20;

/// How many steps one evaluation may take for each unit of its cost limit.
///
/// Ours alone: the server's costs count neither what is below the elements of a list that is compared or printed,
/// nor how large the machine of a pattern is, and it ends by a deadline. What costs no more than it takes needs
/// about one step a unit.
const STEPS_OF_COST: u64 = 16;

/// The cost limit that steps are counted for where it is lower: a tenth of that of a call.
const LEAST_COST_LIMIT: u64 = 100_000;

/// How many compiled patterns an evaluation keeps.
const PATTERNS: usize = 8;

/// The running account of one evaluation.
#[derive(Debug)]
pub(crate) struct Budget {
    cost: u64,
    cost_limit: u64,
    memory: u64,
    /// What may be done beside what the cost counts.
    pub(crate) steps: Steps,
    step_limit: u64,
    /// The patterns that were compiled last, the newest first.
    patterns: Vec<Regex>,
}

impl Budget {
    /// An account that ends at `cost_limit` cost units, for an evaluation as on a server.
    pub(crate) fn new(cost_limit: u64, version: KubernetesVersion) -> Self {
        let steps = cost_limit.max(LEAST_COST_LIMIT).saturating_mul(STEPS_OF_COST);
        Self {
            cost: 0,
            cost_limit,
            memory: 0,
            steps: Steps::limited(steps, version),
            step_limit: steps,
            patterns: Vec::new(),
        }
    }

    /// The cost so far.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds to the cost.
    ///
    /// # Errors
    /// If the limit is exceeded; the evaluation must end with that error.
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

    /// Announces `bytes` of a value about to be built. Whatever a function returns that holds memory of its own
    /// must be asked for first, however small it is: its sum over an evaluation has no other bound.
    ///
    /// # Errors
    /// If the limit is exceeded; the evaluation must end with that error.
    #[inline]
    pub(crate) fn allocate(&mut self, bytes: u64) -> Result<(), EvalError> {
        self.memory = self.memory.saturating_add(bytes);
        if self.memory > MEMORY_LIMIT { Err(EvalError::MEMORY_LIMIT) } else { Ok(()) }
    }

    /// The steps that were taken.
    pub(crate) fn steps_taken(&self) -> u64 {
        self.step_limit - self.steps.left()
    }

    /// The bytes that were announced so far.
    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Compiles a pattern, or finds it among those that were compiled last, and hands it on with the budget.
    ///
    /// # Errors
    /// What Go says of the pattern, in the words of `refused`, or what `with` says.
    pub(crate) fn with_pattern<T>(
        &mut self,
        pattern: &str,
        refused: fn(&re2::Error) -> EvalError,
        with: impl FnOnce(&mut Self, &Regex) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let known = self.patterns.iter().position(|regex| regex.pattern() == pattern);
        let regex = if let Some(place) = known {
            self.patterns.remove(place)
        } else {
            self.steps.take(STEPS_OF_COST * pattern.len() as u64)?;
            Regex::once(pattern).map_err(|error| refused(&error))?
        };
        let result = with(self, &regex);
        self.patterns.truncate(PATTERNS - 1);
        self.patterns.insert(0, regex);
        result
    }
}
