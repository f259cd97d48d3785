//! Semantic versions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/semverlib.go`.

use super::Declarations;
use crate::types::Type;

/// The name of the type of versions.
pub(crate) const TYPE_NAME: &str = "kubernetes.Semver";

fn semver() -> Type {
    Type::object(TYPE_NAME)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.function("semver", "string_to_semver", [Type::String], semver());
    d.function("semver", "string_bool_to_semver", [Type::String, Type::Bool], semver());
    d.function("isSemver", "is_semver_string", [Type::String], Type::Bool);
    d.function("isSemver", "is_semver_string_bool", [Type::String, Type::Bool], Type::Bool);
    d.method("isGreaterThan", "semver_is_greater_than", [semver(), semver()], Type::Bool);
    d.method("isLessThan", "semver_is_less_than", [semver(), semver()], Type::Bool);
    d.method("compareTo", "semver_compare_to", [semver(), semver()], Type::Int);
    d.method("major", "semver_major", [semver()], Type::Int);
    d.method("minor", "semver_minor", [semver()], Type::Int);
    d.method("patch", "semver_patch", [semver()], Type::Int);
}
