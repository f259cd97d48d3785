//! Checks that types are what they are named, which only rustc knows: an alias may be any type.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

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
impl<T> SameStatus<T> for Option<Box<T>> {}

/// Requires the field `status` of a root to have the type of `status = ..`.
pub const fn same_status<A: SameStatus<B>, B>() {}

/// A type of std by whose name the derives know which attributes apply to it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the name of a type of std, by which the derive chooses what it checks",
    label = "not the type of std",
    note = "write a path, as in `self::String`, and rustc decides which attributes apply"
)]
pub trait OfStd {}

macro_rules! of_std {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> OfStd for $ty {}
    )*};
}

of_std! {
    [] String;
    [T: ?Sized] Box<T>;
    [T: ?Sized] Arc<T>;
    [T: ?Sized] Rc<T>;
    [T] Option<T>;
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T] BTreeSet<T>;
    [T, S] HashSet<T, S>;
    [K, V] BTreeMap<K, V>;
    [K, V, S] HashMap<K, V, S>;
}

/// Requires a type to be one of std.
pub const fn of_std<T: OfStd>() {}
