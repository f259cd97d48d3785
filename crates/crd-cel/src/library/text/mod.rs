//! The basic tests of strings.
//!
//! Source: `cel-go/common/types/string.go`; `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "contains": method "contains_string" (string string) -> bool: standard(Contains) => CONTAINS;
    "endsWith": method "ends_with_string" (string string) -> bool: standard(Affix)
        => ENDS_WITH.before(Change::PrefixesCostTheirLength, &costing_by_text(ENDS_WITH));
    "startsWith": method "starts_with_string" (string string) -> bool: standard(Affix)
        => STARTS_WITH.before(Change::PrefixesCostTheirLength, &costing_by_text(STARTS_WITH));
    "matches":
        fn "matches" (string string) -> bool: standard(MatchesGlobal)
            => MATCHES.before(Change::GlobalMatchesCosts, &MATCHES.costing(Cost::Fixed(1)));
        method "matches_string" (string string) -> bool: standard(Matches) => MATCHES;
};
