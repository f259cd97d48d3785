//! What a kind has beside its objects: traits that `#[derive(CustomResource)]` implements where the CRD
//! has the subresource.
//!
//! They cost nothing by themselves; the typed client asks for them, so that a call that the server would
//! answer with 404 does not compile.

use crate::CustomResource;

/// A kind with the status subresource: `#[crd(status = ..)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no status subresource",
    label = "the server has no status of its own for this kind",
    note = "add `status = TheStatus` to `#[crd(..)]`"
)]
pub trait HasStatus: CustomResource {
    /// The type of `status`.
    type Status;
}

/// A kind with the scale subresource: `#[crd(scale(..))]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no scale subresource",
    label = "the server has no scale for this kind",
    note = "add `scale(spec = \".spec.replicas\", status = \".status.replicas\")` to `#[crd(..)]`"
)]
pub trait HasScale: CustomResource {
    /// Where an object says how many replicas it wants, such as `.spec.replicas`.
    const SPEC_REPLICAS_PATH: &'static str;
    /// Where an object says how many replicas there are, such as `.status.replicas`.
    const STATUS_REPLICAS_PATH: &'static str;
}
