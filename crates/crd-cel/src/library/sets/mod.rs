//! Lists as sets.
//!
//! Source: cel-go `ext/sets.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "sets.contains": fn "list_sets_contains_list" ([A] [A]) -> bool: extension(Sets)
        => Binding::new(contains).costing(Cost::Of(|args, _| 1 + product(args)));
    "sets.equivalent": fn "list_sets_equivalent_list" ([A] [A]) -> bool: extension(SetsTwice)
        => Binding::new(equivalent).costing(Cost::Of(|args, _| 1 + 2 * product(args)));
    "sets.intersects": fn "list_sets_intersects_list" ([A] [A]) -> bool: extension(Sets)
        => Binding::new(intersects).costing(Cost::Of(|args, _| 1 + product(args)));
};
