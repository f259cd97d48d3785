//! The values that Kubernetes' libraries add: a closed set, each shared or copied cheaply.

use crate::error::EvalError;
use crate::value::Value;

/// A value of a library type. Each variant holds an `Arc`, a `'static` reference, or at most 23 bytes,
/// so that a [`Value`] stays four words.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Opaque {}

impl Opaque {
    /// The run-time type's name, such as `net.IP`.
    pub fn type_name(&self) -> &'static str {
        match *self {}
    }

    /// The name of the Go type, as `%T` prints it.
    pub(crate) fn go_type(&self) -> &'static str {
        match *self {}
    }

    /// The size for run-time cost; 1 for what has none.
    /// Source: `cel-go/interpreter/runtimecost.go`, `actualSize` (whether the Go type is a `Sizer`).
    pub(crate) fn cost_size(&self) -> u64 {
        match *self {}
    }

    /// `self == other`.
    ///
    /// # Errors
    /// Mostly `no such overload` where `other` is of another type.
    pub(crate) fn equals(&self, _other: &Value<'_>) -> Result<bool, EvalError> {
        match *self {}
    }
}
