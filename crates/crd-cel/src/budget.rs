//! The limits of an evaluation: cost as the API server counts it, and memory and steps, which the
//! server does not limit.

use crate::error::EvalError;
use crate::minors::KubernetesVersion;
use crate::re2::{self, Regex};
use crate::steps::Steps;

/// The most memory, in bytes, that one evaluation may take for the values it builds.
///
/// The server has no such limit: it trusts its estimate, and can run out of memory. A rule within
/// the server's cost limit of 1,000,000 stays far below.
pub(crate) const MEMORY_LIMIT: u64 = 256 << 20;

/// The number of steps that one evaluation may take for each unit of its cost limit. The limit of all
/// rules of an object, which share a cost limit, has the same ratio.
///
/// The server has a deadline instead of this limit. Its costs do not count the contents of elements
/// when a list is compared or printed, nor the size of a pattern's automaton. Where they count
/// everything, an evaluation takes about one step for each unit.
pub const STEPS_OF_COST: u64 = 16;

/// The least cost limit, in cost units, that a limit of steps is computed from: an evaluation with
/// a lower cost limit may take as many steps. It is a tenth of the server's limit of one evaluation.
const LEAST_COST_LIMIT: u64 = 100_000;

/// The number of compiled patterns that an evaluation keeps.
const PATTERNS: usize = 8;

/// The cost, memory and steps of one evaluation, and their limits.
#[derive(Debug)]
pub(crate) struct Budget {
    cost: u64,
    cost_limit: u64,
    memory: u64,
    /// The work that the cost does not count.
    pub(crate) steps: Steps,
    step_limit: u64,
    /// The compiled patterns that were used last, the latest first.
    patterns: Vec<Regex>,
}

impl Budget {
    /// A budget of `cost_limit` cost units, for an evaluation as on a server of this version.
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

    /// Adds `units` to the cost as if they were charged one by one: if the limit is exceeded, the cost
    /// ends 1 above it.
    ///
    /// # Errors
    /// As [`Budget::charge`].
    #[inline]
    pub(crate) fn charge_units(&mut self, units: u64) -> Result<(), EvalError> {
        self.charge(units).inspect_err(|_| self.cost = self.cost_limit.saturating_add(1))
    }

    /// Charges `cost` and returns `true`, or charges nothing if that would exceed the limit.
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

    /// Reserves `bytes` for a value that is about to be built. A function must reserve all memory
    /// that its result owns, however little, because nothing else limits the sum over an
    /// evaluation.
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

    /// The bytes that were reserved so far.
    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Calls `search` with the compiled pattern, which is compiled unless it is one of those used
    /// last.
    ///
    /// # Errors
    /// The error of the pattern, converted by `to_eval_error`, the error of `search`, or the limit of steps.
    pub(crate) fn with_pattern<T>(
        &mut self,
        pattern: &str,
        to_eval_error: fn(&re2::Error) -> EvalError,
        search: impl FnOnce(&mut Self, &Regex) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let known = self.patterns.iter().position(|regex| regex.pattern() == pattern);
        let regex = if let Some(index) = known {
            self.patterns.remove(index)
        } else {
            self.steps.take(STEPS_OF_COST * pattern.len() as u64)?;
            Regex::once(pattern).map_err(|error| to_eval_error(&error))?
        };
        let result = search(self, &regex);
        self.patterns.truncate(PATTERNS - 1);
        self.patterns.insert(0, regex);
        result
    }
}
