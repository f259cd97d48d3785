//! The elements of paths through declared data.

use std::sync::Arc;

pub(super) use crate::slice_path::Path;

/// The paths of one estimate.
pub(super) type Paths = crate::slice_path::Paths<PathElement>;

/// An element of a path: the member that is selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathElement {
    /// A variable or a field.
    Name(Arc<str>),
    /// The items of a list.
    Items,
    /// The indices of a list.
    Indices,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
}
