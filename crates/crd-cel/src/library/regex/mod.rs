//! Searching with regular expressions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/regex.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "find": method "string_find_string" (string string) -> string:
        kubernetes(Find), gives_cost_by_function_name()
        => searching(find).with_regex(find_compiled);
    "findAll":
        method "string_find_all_string" (string string) -> [string]:
            kubernetes(Find), gives_cost_by_function_name()
            => searching(find_all).with_regex(find_all_compiled);
        method "string_find_all_string_int" (string string int) -> [string]: kubernetes(Find)
            => searching(find_all).with_regex(find_all_compiled).stops_at_error();
};
