//! The subresources of a kind, as traits that `#[derive(CustomResource)]` implements if the CRD has them.
//!
//! The methods of the typed client have them as bounds, so that a call to which the server would answer 404 does not
//! compile.

use crate::CustomResource;

/// A kind with the status subresource: `#[crd(status = ..)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no status subresource",
    label = "this kind does not enable the status subresource",
    note = "add `status = TheStatus` to `#[crd(..)]`"
)]
pub trait HasStatus: CustomResource {
    /// The type of `status`.
    type Status;
}

/// A kind with the scale subresource: `#[crd(scale(..))]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no scale subresource",
    label = "this kind does not enable the scale subresource",
    note = "add `scale(spec = \".spec.replicas\", status = \".status.replicas\")` to `#[crd(..)]`"
)]
pub trait HasScale: CustomResource {
    /// The path of the desired number of replicas, such as `.spec.replicas`.
    const SPEC_REPLICAS_PATH: &'static str;
    /// The path of the current number of replicas, such as `.status.replicas`.
    const STATUS_REPLICAS_PATH: &'static str;
}
