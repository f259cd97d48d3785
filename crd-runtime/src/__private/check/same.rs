//! Checks that two types are one, which only rustc knows: an alias may be any type.

/// The types of the members of a tuple.
#[diagnostic::on_unimplemented(
    message = "serde writes a tuple as a list, whose elements all have one schema; use a struct with named fields",
    label = "another member is `{T}`"
)]
pub trait SameElement<T: ?Sized> {}
impl<T: ?Sized> SameElement<T> for T {}

/// Requires the members of a tuple to have one type.
pub const fn same_element<A: SameElement<B> + ?Sized, B: ?Sized>() {}

/// The type of the field `status` and that of `status = ..`.
#[diagnostic::on_unimplemented(
    message = "the field `status` has another type than `status = {T}`; use `Option<{T}>`",
    label = "`{Self}` is not `Option<{T}>`"
)]
pub trait SameStatus<T> {}
impl<T> SameStatus<T> for Option<T> {}

/// Requires the field `status` of a root to have the type of `status = ..`.
pub const fn same_status<A: SameStatus<B>, B>() {}
