//! The extended string functions, in the version that Kubernetes enables (2). Positions count code
//! points.
//!
//! Source: cel-go `ext/strings.go`; for costs at run time
//! `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.

#[cfg(feature = "eval")]
mod calls;
#[cfg(feature = "eval")]
mod format;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "charAt": method "string_char_at_int" (string int) -> string => Binding::new(char_at);
    "indexOf":
        method "string_index_of_string" (string string) -> int: kubernetes(Elements)
            => Binding::new(index_of).costing(Cost::Of(traversal_of_elements));
        method "string_index_of_string_int" (string string int) -> int: kubernetes(Elements)
            => Binding::new(index_of).costing(Cost::Of(traversal_of_elements));
    "lastIndexOf":
        method "string_last_index_of_string" (string string) -> int: kubernetes(Elements)
            => Binding::new(last_index_of).costing(Cost::Of(traversal_of_elements));
        method "string_last_index_of_string_int" (string string int) -> int: kubernetes(Elements)
            => Binding::new(last_index_of).costing(Cost::Of(traversal_of_elements));
    "lowerAscii": method "string_lower_ascii" (string) -> string:
        kubernetes(SameSize), gives_cost_by_function_name()
        => traversing(lower_ascii);
    "replace":
        method "string_replace_string_string" (string string string) -> string:
            kubernetes(Replace), gives_cost_by_function_name()
            => traversing_twice(replace).stops_at_error();
        method "string_replace_string_string_int" (string string string int) -> string:
            kubernetes(Replace)
            => traversing_twice(replace).stops_at_error();
    "split":
        method "string_split_string" (string string) -> [string]:
            kubernetes(Split), gives_cost_by_function_name()
            => traversing_twice(split);
        method "string_split_string_int" (string string int) -> [string]: kubernetes(Split)
            => traversing_twice(split).stops_at_error();
    "substring":
        method "string_substring_int" (string int) -> string: kubernetes(SameSize), gives_cost_by_function_name()
            => traversing(substring);
        method "string_substring_int_int" (string int int) -> string: kubernetes(SameSize)
            => traversing(substring);
    "trim": method "string_trim" (string) -> string: kubernetes(SameSize), gives_cost_by_function_name()
        => traversing(trim);
    "upperAscii": method "string_upper_ascii" (string) -> string:
        kubernetes(SameSize), gives_cost_by_function_name()
        => traversing(upper_ascii);
    "format": method "string_format" (string [dyn]) -> string: standard(Format)
        => Binding::new(format).costing(Cost::Of(traversal)).stops_at_error();
    "strings.quote": fn "strings_quote" (string) -> string: standard(Quote) => traversing(quote);
    "join":
        method "list_join" ([string]) -> string: kubernetes(Join), gives_cost_by_function_name()
            => Binding::new(join).costing(Cost::Of(join_cost));
        method "list_join_string" ([string] string) -> string: kubernetes(Join)
            => Binding::new(join).costing(Cost::Of(join_cost));
};
