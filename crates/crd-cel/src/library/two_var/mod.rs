//! The function that comprehensions of two variables expand to.
//!
//! Source: cel-go `ext/comprehensions.go`, `mapInsert`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "cel.@mapInsert":
        fn "@mapInsert_map_key_value" ({A B} A B) -> {A B} => Binding::new(insert).stops_at_error();
        fn "@mapInsert_map_map" ({A B} {A B}) -> {A B} => Binding::new(insert_all);
};
