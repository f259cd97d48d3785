//! Semantic versions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/semverlib.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "semver":
        fn "string_to_semver" (string) -> Semver: kubernetes(Parse), gives_cost_by_function_name()
            => parsing(to_semver).once();
        fn "string_bool_to_semver" (string bool) -> Semver: kubernetes(Parse)
            => parsing(to_semver).once();
    "isSemver":
        fn "is_semver_string" (string) -> bool: kubernetes(Parse), gives_cost_by_function_name()
            => parsing(is_valid);
        fn "is_semver_string_bool" (string bool) -> bool: kubernetes(Parse) => parsing(is_valid);
    "isGreaterThan": method "semver_is_greater_than" (Semver Semver) -> bool
        => Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_gt())));
    "isLessThan": method "semver_is_less_than" (Semver Semver) -> bool
        => Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_lt())));
    "compareTo": method "semver_compare_to" (Semver Semver) -> int
        => Binding::new(|_, args| compare(args, |ordering| Value::Int(ordering as i64)));
    "major": method "semver_major" (Semver) -> int
        => Binding::new(|_, args| number(args, |version| version.major));
    "minor": method "semver_minor" (Semver) -> int
        => Binding::new(|_, args| number(args, |version| version.minor));
    "patch": method "semver_patch" (Semver) -> int
        => Binding::new(|_, args| number(args, |version| version.patch));
};
