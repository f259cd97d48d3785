//! Lets rustc check that types can be versions of one kind.

use crd_cel::compile_time::equal;

use crate::CustomResource;

/// The properties of a derived type that must be equal, or must differ, among versions of one kind.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    pub(super) plural: &'static str,
    pub(super) version: &'static str,
    pub(super) namespaced: bool,
    pub(super) storage: bool,
}

impl Facts {
    /// Returns those of `T`.
    #[must_use]
    pub const fn of<T: CustomResource>() -> Self {
        Self {
            group: T::GROUP,
            kind: T::KIND,
            plural: T::PLURAL,
            version: T::VERSION,
            namespaced: T::NAMESPACED,
            storage: T::STORAGE,
        }
    }
}

/// Panics if types cannot be versions of one kind, which is a compile error in a constant. [`super::merge()`]
/// reports all reasons, at run time and with names.
#[doc(hidden)]
#[track_caller]
pub const fn check(versions: &[Facts]) {
    let mut stored = 0;
    let mut at = 0;
    while at < versions.len() {
        let (first, this) = (&versions[0], &versions[at]);
        assert!(
            same(first.group, this.group),
            "versions of one kind differ in `group`: set the same `group = \"..\"` in each"
        );
        assert!(
            same(first.kind, this.kind),
            "versions of one kind differ in `kind`: set the same `kind = \"..\"` in each"
        );
        assert!(
            same(first.plural, this.plural),
            "versions of one kind differ in `plural`: set the same `plural = \"..\"` in each"
        );
        assert!(
            first.namespaced == this.namespaced,
            "versions of one kind differ in scope: set `namespaced` in each, or `cluster` in each"
        );
        let mut other = 0;
        while other < at {
            assert!(
                !same(versions[other].version, this.version),
                "two types have the same version: give each type its own `version = \"..\"`"
            );
            other += 1;
        }
        if this.storage {
            stored += 1;
        }
        at += 1;
    }
    assert!(
        stored != 0,
        "no version is the storage version: drop `storage = false` from one of the types"
    );
    assert!(
        stored == 1,
        "more than one version is the storage version: add `storage = false` to all types but one"
    );
}

const fn same(a: &str, b: &str) -> bool {
    equal(a.as_bytes(), b.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    const V1: Facts = Facts {
        group: "example.com",
        kind: "Job",
        plural: "jobs",
        version: "v1",
        namespaced: true,
        storage: true,
    };
    const V2: Facts = Facts { version: "v2", storage: false, ..V1 };

    #[track_caller]
    fn rejected(versions: &[Facts], start: &str) {
        let panic = catch_unwind(|| check(versions)).expect_err(start);
        let message = panic.downcast_ref::<&str>().copied().unwrap_or_default();
        assert!(message.starts_with(start), "{message}");
    }

    #[test]
    fn versions_that_agree() {
        check(&[V1]);
        check(&[V2, V1]);
        check(&[V1, V2, Facts { version: "v3", ..V2 }]);
    }

    #[test]
    fn errors_of_combinations_say_what_to_change() {
        let one = "versions of one kind differ in";
        rejected(&[V1, Facts { group: "x", ..V2 }], &format!("{one} `group`: set the same"));
        rejected(&[V1, Facts { kind: "x", ..V2 }], &format!("{one} `kind`: set the same"));
        rejected(&[V1, Facts { plural: "x", ..V2 }], &format!("{one} `plural`: set the same"));
        rejected(
            &[V1, Facts { namespaced: false, ..V2 }],
            &format!("{one} scope: set `namespaced`"),
        );
        rejected(&[V1, V2, V2], "two types have the same version: give each type its own `version");
        rejected(&[V2], "no version is the storage version: drop `storage = false`");
        rejected(
            &[V1, Facts { storage: true, ..V2 }],
            "more than one version is the storage version: add",
        );
    }
}
