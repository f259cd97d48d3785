//! Optional values.
//!
//! `or` and `orValue` evaluate their argument only if they need it: the planner has nodes for them.
//!
//! Source: cel-go `cel/library.go`, `optionalLib`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{NamedType, Row, StandsFor, rows};
use crate::basic;
use crate::minors::Presence;
use crate::minors::libraries::OPTIONALS_OF_LISTS;

/// The names of types that expressions can use as values.
pub(super) const TYPES: &[NamedType] =
    &[NamedType::new(basic::OPTIONAL, StandsFor::Optional).within(Presence::built_since(31))];

pub(super) const OVERLOADS: &[Row] = rows! {
    "optional.of": fn "optional_of" (A) -> (optional A) => Binding::new(of);
    "optional.ofNonZeroValue": fn "optional_ofNonZeroValue" (A) -> (optional A)
        => Binding::new(of_non_zero);
    "optional.none": fn "optional_none" () -> (optional A)
        => Binding::new(|_, _| Ok(Value::none()));
    "value": method "optional_value" ((optional A)) -> A => Binding::new(value);
    "hasValue": method "optional_hasValue" ((optional A)) -> bool => Binding::new(has_value);
    "or": method "optional_or_optional" ((optional A) (optional A)) -> (optional A);
    "orValue": method "optional_orValue_value" ((optional A) A) -> A;
    "_?._": fn "select_optional_field" (dyn string) -> (optional A);
    "_[?_]":
        fn "list_optindex_optional_int" ([A] int) -> (optional A);
        fn "optional_list_optindex_optional_int" ((optional [A]) int) -> (optional A);
        fn "map_optindex_optional_value" ({A B} A) -> (optional B);
        fn "optional_map_optindex_optional_value" ((optional {A B}) A) -> (optional B);
    "_[_]":
        fn "optional_list_index_int" ((optional [A]) int) -> (optional A);
        fn "optional_map_index_value" ((optional {A B}) A) -> (optional B);
    "last": method "list_last" ([A]) -> (optional A): within(OPTIONALS_OF_LISTS)
        => Binding::new(last);
    "first": method "list_first" ([A]) -> (optional A): within(OPTIONALS_OF_LISTS)
        => Binding::new(first);
    "optional.unwrap": fn "optional_unwrap" ([(optional A)]) -> [A]: within(OPTIONALS_OF_LISTS)
        => Binding::new(unwrap);
    "unwrapOpt": method "optional_unwrapOpt" ([(optional A)]) -> [A]: within(OPTIONALS_OF_LISTS)
        => Binding::new(unwrap);
};
