//! Steps: the work of an evaluation that the cost does not count, and its limit.

use crate::error::EvalError;
use crate::minors::{Change, KubernetesVersion};

/// The number of bytes that are compared or copied in one step.
const BYTES_OF_STEP: u64 = 64;

/// The steps that are left. A step is a few instructions of the processor that the cost does not
/// count, such as the comparison of two elements of nested lists.
///
/// The version of the server is kept here, too, because the results of functions that take steps,
/// such as comparisons, depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    left: u64,
    version: KubernetesVersion,
}

impl Steps {
    /// Unlimited steps, for work that is limited by other means.
    pub(crate) fn unlimited(version: KubernetesVersion) -> Self {
        Self { left: u64::MAX, version }
    }

    /// This many steps, for an evaluation as on a server of this version.
    pub(crate) fn limited(steps: u64, version: KubernetesVersion) -> Self {
        Self { left: steps, version }
    }

    /// The number of steps that are left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// The version of the server.
    pub(crate) fn version(&self) -> KubernetesVersion {
        self.version
    }

    /// Whether the server has a change.
    pub(crate) fn server_has(&self, change: Change) -> bool {
        self.version.has(change)
    }

    /// Takes some steps.
    ///
    /// # Errors
    /// If fewer steps are left. The evaluation must end with this error.
    #[inline]
    pub(crate) fn take(&mut self, steps: u64) -> Result<(), EvalError> {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or_default();
        if left.is_some() { Ok(()) } else { Err(EvalError::STEP_LIMIT) }
    }

    /// Takes the steps of reading `bytes` bytes.
    ///
    /// # Errors
    /// As [`Steps::take`].
    #[inline]
    pub(crate) fn take_bytes(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.take(bytes as u64 / BYTES_OF_STEP)
    }
}
