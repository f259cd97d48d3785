//! Lists as sets.
//!
//! Source: cel-go `ext/sets.go`.

use super::{A, Declarations};
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.function(
        "sets.contains",
        "list_sets_contains_list",
        [Type::list(A), Type::list(A)],
        Type::Bool,
    );
    d.function(
        "sets.equivalent",
        "list_sets_equivalent_list",
        [Type::list(A), Type::list(A)],
        Type::Bool,
    );
    d.function(
        "sets.intersects",
        "list_sets_intersects_list",
        [Type::list(A), Type::list(A)],
        Type::Bool,
    );
}
